package io.metaq.jms.message;

import io.metaq.message.HeaderField;
import io.metaq.message.LargePayload;
import io.metaq.message.MalformedPropertiesException;
import io.metaq.message.PropertyBlock;
import io.metaq.message.PropertyBlockWriter;
import java.nio.ByteBuffer;

/**
 * Where a large body is.
 *
 * @param topic the companion topic
 * @param length of the body, bytes
 * @param offsets of the chunks, all of {@link LargeBodies#CHUNK_BYTES} but the last
 */
public record StoredBody(String topic, int partition, long length, long[] offsets) {

    void writeTo(PropertyBlockWriter block) {
        block.header(HeaderField.LARGE_TOPIC, topic)
                .header(HeaderField.LARGE_PARTITION, partition)
                .header(HeaderField.LARGE_OFFSET, offsets[0])
                .header(HeaderField.LARGE_LENGTH, length);
    }

    /** What stands in the message in place of the body. */
    ByteBuffer payload() {
        ByteBuffer payload = ByteBuffer.allocate(8 * offsets.length);
        payload.asLongBuffer().put(offsets);
        return payload;
    }

    /**
     * Reads what {@link #writeTo} and {@link #payload} wrote.
     *
     * @throws MalformedPropertiesException if it is something else. Only companion topics are believed: a message must not make its
     *     receiver read whatever topic it names
     */
    static StoredBody of(PropertyBlock block, ByteBuffer payload) {
        String topic = block.headerString(HeaderField.LARGE_TOPIC);
        long length = block.headerLong(HeaderField.LARGE_LENGTH, -1);
        long chunks = payload.remaining() / 8;
        boolean fits = payload.remaining() % 8 == 0
                && length > (chunks - 1) * LargePayload.CHUNK_BYTES
                && length <= chunks * LargePayload.CHUNK_BYTES;
        if (topic == null || !LargePayload.isCompanion(topic) || !fits) {
            throw new MalformedPropertiesException(
                    "no large body of " + length + " bytes in " + chunks + " chunks of " + topic);
        }
        long[] offsets = new long[(int) chunks];
        payload.slice().asLongBuffer().get(offsets);
        return new StoredBody(topic, block.headerInt(HeaderField.LARGE_PARTITION, 0), length, offsets);
    }
}
