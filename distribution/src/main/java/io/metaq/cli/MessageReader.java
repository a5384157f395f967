package io.metaq.cli;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Reads the messages of one input. */
interface MessageReader {
    /** Larger ones are refused by every broker anyway; the limit keeps a file without line feeds out of the memory. */
    int MAX_MESSAGE_BYTES = 128 << 20;

    /** The next message, null at the end of the input. */
    @Nullable
    InputMessage next() throws IOException;

    static MessageReader of(MessageFormat format, InputStream in) {
        return switch (format) {
            case LINES -> lines(in);
            case JSON -> new JsonMessages(in);
            case RAW -> whole(in);
        };
    }

    private static MessageReader lines(InputStream in) {
        LineReader lines = new LineReader(in, MAX_MESSAGE_BYTES);
        return () -> {
            byte[] line = lines.next();
            return line == null ? null : InputMessage.of(line);
        };
    }

    private static MessageReader whole(InputStream in) {
        boolean[] done = new boolean[1];
        return () -> {
            if (done[0]) {
                return null;
            }
            done[0] = true;
            byte[] data = in.readNBytes(MAX_MESSAGE_BYTES + 1);
            if (data.length > MAX_MESSAGE_BYTES) {
                throw new CommandFailedException(
                        "an input is larger than " + MAX_MESSAGE_BYTES + " bytes, which no message can be");
            }
            return InputMessage.of(data);
        };
    }
}
