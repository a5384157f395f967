package io.metaq.jms.message;

import io.metaq.message.LargePayload;
import jakarta.jms.JMSException;
import org.jspecify.annotations.Nullable;

/** A large body, of which one chunk at a time is in memory. */
final class ChunkedBody implements BodySource {
    private final LargeBodies bodies;
    private final StoredBody stored;
    private byte @Nullable [] current;
    private int currentIndex = -1;

    ChunkedBody(LargeBodies bodies, StoredBody stored) {
        this.bodies = bodies;
        this.stored = stored;
    }

    @Override
    public long length() {
        return stored.length();
    }

    @Override
    public void read(long position, byte[] into, int offset, int count) throws JMSException {
        int done = 0;
        while (done < count) {
            long at = position + done;
            byte[] chunk = chunk((int) (at / LargePayload.CHUNK_BYTES));
            int from = (int) (at % LargePayload.CHUNK_BYTES);
            int part = Math.min(count - done, chunk.length - from);
            System.arraycopy(chunk, from, into, offset + done, part);
            done += part;
        }
    }

    private byte[] chunk(int index) throws JMSException {
        byte[] chunk = current;
        if (chunk == null || index != currentIndex) {
            chunk = bodies.chunk(stored.topic(), stored.partition(), stored.offsets()[index]);
            int expected = (int) Math.min(LargePayload.CHUNK_BYTES, length() - (long) index * LargePayload.CHUNK_BYTES);
            if (chunk.length != expected) {
                throw new JMSException(
                        "chunk " + index + " of a large body has " + chunk.length + " bytes instead of " + expected);
            }
            current = chunk;
            currentIndex = index;
        }
        return chunk;
    }
}
