package io.metaq.protocol.codec;

import io.metaq.protocol.ProtocolException;
import io.metaq.protocol.Status;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * Collects the bytes of one header line. Every byte that arrives is looked at once, however small the pieces are, because what was
 * searched before is kept here and not searched again.
 */
final class LineBuffer {
    private static final int USUAL_LENGTH = 256;

    private final int maxBytes;
    private byte[] bytes = new byte[USUAL_LENGTH];
    private int length;

    LineBuffer(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /**
     * Takes bytes up to and with the first CR LF. A lone LF is an ordinary byte, as it was for MetaQ 1.4.
     *
     * @return whether the line is complete
     */
    boolean append(ByteBuf in) {
        while (in.isReadable()) {
            int from = in.readerIndex();
            int lineFeed = in.indexOf(from, in.writerIndex(), (byte) '\n');
            take(in, (lineFeed < 0 ? in.writerIndex() : lineFeed + 1) - from);
            if (lineFeed >= 0 && length >= 2 && bytes[length - 2] == '\r') {
                return true;
            }
        }
        return false;
    }

    private void take(ByteBuf in, int count) {
        if (count > maxBytes - length) {
            throw new ProtocolException(Status.TOO_LARGE, "a header line is longer than " + maxBytes + " bytes");
        }
        if (count > bytes.length - length) {
            bytes = Arrays.copyOf(bytes, Math.max(length + count, bytes.length * 2));
        }
        in.readBytes(bytes, length, count);
        length += count;
    }

    byte[] bytes() {
        return bytes;
    }

    /** Length of the complete line without its CR LF. */
    int lineLength() {
        return length - 2;
    }

    /** Makes room for the next line. A connection that once sent a long line does not hold its memory for ever. */
    void clear() {
        length = 0;
        if (bytes.length > USUAL_LENGTH * 4) {
            bytes = new byte[USUAL_LENGTH];
        }
    }
}
