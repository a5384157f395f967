package io.metaq.state.dispatch;

import io.metaq.log.partition.MessageLog;
import java.io.IOException;

/** Where messages begin. */
public final class MessageBoundary {
    private MessageBoundary() {}

    /** Whether a readable message begins at this offset of the log, or the log ends there. Reads that message. */
    public static boolean isAt(MessageLog log, long offset) throws IOException {
        if (offset == log.endOffset()) {
            return true;
        }
        return offset >= log.startOffset()
                && offset < log.endOffset()
                && new LogWindow(log, new Scratch()).begins(offset);
    }
}
