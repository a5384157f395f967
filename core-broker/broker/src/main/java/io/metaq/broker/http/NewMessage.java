package io.metaq.broker.http;

import io.metaq.message.BodyKind;
import io.metaq.message.HeaderField;
import io.metaq.message.MessageFlags;
import io.metaq.message.PropertyBlockWriter;
import io.metaq.protocol.Request;
import io.metaq.protocol.StoredMessage;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A message that is to be published, while it is put together. */
final class NewMessage {
    BodyKind kind = BodyKind.BYTES;
    byte[] payload = {};
    final Map<HeaderField, Object> headers = new EnumMap<>(HeaderField.class);
    final Map<String, @Nullable Object> properties = new LinkedHashMap<>();

    @Nullable
    String attribute;

    @Nullable
    String key;

    int flag;
    int partition = Request.ANY_PARTITION;
    long delayMs;
    long timeToLiveMs;

    /**
     * A message in the form in which it is stored.
     *
     * @param partition that was asked for, or {@link Request#ANY_PARTITION}
     * @param key by which the partition is to be found, or null
     */
    record Encoded(
            int flag, byte[] body, int partition, @Nullable String key) {
        int length() {
            return StoredMessage.HEADER_LENGTH + body.length;
        }

        /** The same, with partition and key where it has neither. */
        Encoded otherwise(int anyPartition, @Nullable String anyKey) {
            boolean free = partition == Request.ANY_PARTITION && key == null;
            return free ? new Encoded(flag, body, anyPartition, anyKey) : this;
        }

        /** Id and checksum are the broker's to fill in. */
        void write(ByteBuf out) {
            StoredMessage.writeHeader(out, body.length, Request.NO_CHECKSUM, 0, flag);
            out.writeBytes(body);
        }
    }

    /**
     * @param now ms of the epoch
     * @throws HttpFailure if things contradict each other
     */
    Encoded encode(long now) {
        times(now);
        PropertyBlockWriter block = new PropertyBlockWriter();
        boolean plain = kind == BodyKind.BYTES && headers.isEmpty() && properties.isEmpty();
        if (!plain) {
            headers.putIfAbsent(HeaderField.TIMESTAMP, now);
            headers.put(HeaderField.BODY_KIND, kind.number());
            try {
                headers.forEach(block::header);
                properties.forEach(block::property);
            } catch (IllegalArgumentException e) {
                // A property by the name of a header, such as JMSXGroupSeq, with a value of another type.
                throw HttpFailure.badRequest(String.valueOf(e.getMessage()));
            }
        }
        byte[] body = block.join(ByteBuffer.wrap(payload));
        int flags = MessageFlags.withBlock(flag & ~MessageFlags.ATTRIBUTE, block.flags());
        if (attribute != null) {
            byte[] utf8 = attribute.getBytes(StandardCharsets.UTF_8);
            body = ByteBuffer.allocate(4 + utf8.length + body.length)
                    .putInt(utf8.length)
                    .put(utf8)
                    .put(body)
                    .array();
            flags |= MessageFlags.ATTRIBUTE;
        }
        return new Encoded(flags, body, partition, key);
    }

    private void times(long now) {
        if (delayMs > 0) {
            after(HeaderField.DELIVERY_TIME, "delay", "deliveryTime", now, delayMs);
        }
        if (timeToLiveMs > 0) {
            after(HeaderField.EXPIRATION, "ttl", "expiration", now, timeToLiveMs);
        }
    }

    private void after(HeaderField field, String relative, String absolute, long now, long ms) {
        if (headers.containsKey(field)) {
            throw HttpFailure.badRequest("give " + relative + " or " + absolute + ", not both");
        }
        headers.put(field, ms > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + ms);
    }
}
