package io.metaq.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Splits bytes at line feeds, and at nothing else: a carriage return belongs to its line, and no character set is assumed. So the
 * lines joined by line feeds are the input again, byte for byte.
 */
final class LineReader {
    private static final int BUFFER = 256 * 1024;

    private final InputStream in;
    private final int maxLineBytes;
    private final byte[] buffer = new byte[BUFFER];
    private int position;
    private int limit;
    private boolean endedWithLineFeed;

    LineReader(InputStream in, int maxLineBytes) {
        this.in = in;
        this.maxLineBytes = maxLineBytes;
    }

    /**
     * The next line without its line feed, or null at the end of the input. An input without a byte has no line; one that ends
     * with a line feed has no further line after it.
     *
     * @throws CommandFailedException if a line is longer than allowed
     */
    byte @Nullable [] next() throws IOException {
        ByteArrayOutputStream parts = null;
        while (position < limit || fill()) {
            int end = lineFeed();
            if (end >= 0) {
                byte[] line = joined(parts, end);
                position = end + 1;
                endedWithLineFeed = true;
                return line;
            }
            parts = parts == null ? new ByteArrayOutputStream() : parts;
            parts.write(buffer, position, limit - position);
            position = limit;
            if (parts.size() > maxLineBytes) {
                throw new CommandFailedException(
                        "a line is longer than " + maxLineBytes + " bytes; use --format raw for such files");
            }
        }
        if (parts == null) {
            return null;
        }
        endedWithLineFeed = false;
        return parts.toByteArray();
    }

    /** Whether the line that was returned last had a line feed at its end. */
    boolean endedWithLineFeed() {
        return endedWithLineFeed;
    }

    private int lineFeed() {
        for (int i = position; i < limit; i++) {
            if (buffer[i] == '\n') {
                return i;
            }
        }
        return -1;
    }

    private byte[] joined(@Nullable ByteArrayOutputStream parts, int end) {
        if (parts == null) {
            return java.util.Arrays.copyOfRange(buffer, position, end);
        }
        parts.write(buffer, position, end - position);
        return parts.toByteArray();
    }

    private boolean fill() throws IOException {
        position = 0;
        limit = Math.max(0, in.read(buffer));
        return limit > 0;
    }
}
