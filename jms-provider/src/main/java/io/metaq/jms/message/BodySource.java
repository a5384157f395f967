package io.metaq.jms.message;

import jakarta.jms.JMSException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

/** The bytes of a body, wherever they are. */
interface BodySource {
    BodySource NONE = of(ByteBuffer.allocate(0));

    long length();

    /**
     * Fills a part of the array with the bytes from {@code position} on, all of which are within the length.
     *
     * @throws JMSException if they cannot be fetched
     */
    void read(long position, byte[] into, int offset, int count) throws JMSException;

    /**
     * All bytes in an array of their own.
     *
     * @throws JMSException if they cannot be fetched or are too many for an array
     */
    default byte[] copy() throws JMSException {
        if (length() > Integer.MAX_VALUE - 8) {
            throw new JMSException("a body of " + length() + " bytes does not fit into an array");
        }
        byte[] bytes = new byte[(int) length()];
        read(0, bytes, 0, bytes.length);
        return bytes;
    }

    /**
     * All bytes in memory, from the buffer's position to its limit; not to be changed.
     *
     * @throws JMSException as of {@link #copy}
     */
    default ByteBuffer whole() throws JMSException {
        return ByteBuffer.wrap(copy());
    }

    /** All bytes from the first on. */
    default InputStream stream() {
        return new Stream(this);
    }

    static BodySource of(ByteBuffer bytes) {
        return new InMemory(bytes.slice());
    }

    /** Bytes from index 0 to the limit. */
    record InMemory(ByteBuffer bytes) implements BodySource {
        @Override
        public long length() {
            return bytes.limit();
        }

        @Override
        public void read(long position, byte[] into, int offset, int count) {
            bytes.get((int) position, into, offset, count);
        }

        @Override
        public ByteBuffer whole() {
            return bytes.duplicate();
        }
    }

    /** Reads a body from its first byte to its last. */
    final class Stream extends InputStream {
        private final BodySource body;
        private long position;

        private Stream(BodySource body) {
            this.body = body;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, into.length);
            int count = (int) Math.min(length, body.length() - position);
            if (count == 0 && length > 0) {
                return -1;
            }
            try {
                body.read(position, into, offset, count);
            } catch (JMSException e) {
                throw new IOException(e);
            }
            position += count;
            return count;
        }

        @Override
        public int available() {
            return (int) Math.min(Integer.MAX_VALUE, body.length() - position);
        }
    }
}
