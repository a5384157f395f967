package io.metaq.cli;

import io.metaq.client.Message;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Writes received messages in one of the formats. */
final class MessageWriter {
    private final PrintStream out;
    private final MessageFormat format;
    private byte[] copy = new byte[8192];
    private long messages;
    private long bytes;

    MessageWriter(PrintStream out, MessageFormat format) {
        this.out = out;
        this.format = format;
    }

    void write(Message message) {
        messages++;
        bytes += message.size();
        if (format == MessageFormat.JSON) {
            byte[] line = JsonMessages.write(message).getBytes(StandardCharsets.UTF_8);
            out.write(line, 0, line.length);
            out.write('\n');
            return;
        }
        ByteBuffer data = message.buffer();
        int size = data.remaining();
        if (copy.length < size) {
            copy = new byte[Math.max(size, 2 * copy.length)];
        }
        data.duplicate().get(copy, 0, size);
        out.write(copy, 0, size);
        if (format == MessageFormat.LINES) {
            out.write('\n');
        }
    }

    long messages() {
        return messages;
    }

    /** Payload only. */
    long bytes() {
        return bytes;
    }

    /** Hands everything on; false if nobody reads it any more. */
    boolean flush() {
        return !out.checkError();
    }
}
