package io.metaq.jms.message;

import jakarta.jms.JMSException;
import java.nio.ByteBuffer;

/** The bytes of a body, wherever they are. */
interface BodySource {
    long length();

    /**
     * Fills a part of the array with the bytes from {@code position} on, all of which are within the length.
     *
     * @throws JMSException if they cannot be fetched
     */
    void read(long position, byte[] into, int offset, int count) throws JMSException;

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
    }
}
