package io.metaq.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a file into its lines, each with its line feed, so that the pieces one after the other are the file again. A line that is
 * longer than a message may be, as files that are no text have, is cut too.
 */
final class FilePieces {
    private final InputStream in;
    private final int maxPiece;
    private final byte[] buffer = new byte[256 * 1024];
    private int position;
    private int limit;

    FilePieces(InputStream in, int maxPiece) {
        this.in = in;
        this.maxPiece = maxPiece;
    }

    /** The next piece, never empty; null at the end. */
    byte @Nullable [] next() throws IOException {
        ByteArrayOutputStream piece = new ByteArrayOutputStream(128);
        while (position < limit || fill()) {
            int end = endOfPiece(maxPiece - piece.size());
            piece.write(buffer, position, end - position);
            position = end;
            if (buffer[end - 1] == '\n' || piece.size() == maxPiece) {
                break;
            }
        }
        return piece.size() == 0 ? null : piece.toByteArray();
    }

    /** Position after the next line feed, after so many bytes, or after all that was read, whichever is first. */
    private int endOfPiece(int atMost) {
        int end = Math.min(limit, position + atMost);
        for (int i = position; i < end; i++) {
            if (buffer[i] == '\n') {
                return i + 1;
            }
        }
        return end;
    }

    private boolean fill() throws IOException {
        position = 0;
        limit = Math.max(0, in.read(buffer));
        return limit > 0;
    }
}
