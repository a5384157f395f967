package io.metaq.state.subscription;

import io.metaq.log.partition.LogSlice;
import io.metaq.log.partition.MessageLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;

/** Finds where messages begin by reading the log. */
final class MessageStarts {
    private static final int HEADER_BYTES = 20;
    private static final int WINDOW_BYTES = 16 << 10;

    private MessageStarts() {}

    /**
     * Tells where each message of a readable range begins. Damaged or missing parts are passed over, the first place behind
     * which something can be read included.
     */
    static void forEach(MessageLog log, long from, long to, LongConsumer visitor) throws IOException {
        ByteBuffer window =
                ByteBuffer.allocate((int) Math.min(WINDOW_BYTES, to - from)).limit(0);
        long windowAt = from;
        long at = from;
        while (at < to) {
            if (at + Integer.BYTES > windowAt + window.limit()) {
                window.clear().limit((int) Math.min(window.capacity(), to - at));
                windowAt = at;
                long behind = fill(log, at, window);
                if (window.limit() < Integer.BYTES) {
                    at = Math.max(at + 1, behind);
                    continue;
                }
            }
            int body = window.getInt((int) (at - windowAt));
            visitor.accept(at);
            at = body < 0 ? to : at + HEADER_BYTES + body;
        }
    }

    /** @return where to go on when nothing could be read */
    private static long fill(MessageLog log, long from, ByteBuffer window) throws IOException {
        while (window.hasRemaining()) {
            LogSlice slice = log.slice(from + window.position(), window.remaining());
            if (slice == null) {
                window.flip();
                return Math.max(log.startOffset(), from) > from ? log.startOffset() : Long.MAX_VALUE;
            }
            try {
                if (slice.length() == 0) {
                    window.flip();
                    return slice.nextOffset();
                }
                int read = 0;
                while (read < slice.length()) {
                    int n = slice.read(window, read);
                    if (n < 0) {
                        throw new IOException("a file of messages ended early");
                    }
                    read += n;
                }
            } finally {
                slice.release();
            }
        }
        window.flip();
        return from;
    }
}
