package io.metaq.broker.http;

import io.metaq.message.BodyKind;
import io.metaq.message.HeaderField;
import io.metaq.message.MalformedPropertiesException;
import io.metaq.message.MessageBody;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A stored message and where it is.
 *
 * @param payload null where it is in chunks elsewhere, which were not fetched, or are lost
 * @param lost whether chunks of it are gone
 */
record StoredAt(
        long id,
        int flag,
        int partition,
        long offset,
        long nextOffset,
        Content content,
        @Nullable ByteBuffer payload,
        boolean lost) {
    static StoredAt of(long id, int flag, int partition, long offset, long nextOffset, ByteBuffer body) {
        Content content = Content.of(flag, body);
        return new StoredAt(
                id, flag, partition, offset, nextOffset, content, content.large() ? null : content.payload(), false);
    }

    /** The same with the payload that was fetched; null if it is lost. */
    StoredAt with(@Nullable ByteBuffer fetched) {
        return new StoredAt(id, flag, partition, offset, nextOffset, content, fetched, fetched == null);
    }

    /** What the payload is: bytes where it is not what it is said to be. */
    BodyKind kind() {
        BodyKind said = content.kind();
        if (payload == null) {
            return said;
        }
        try {
            if (said == BodyKind.MAP) {
                MessageBody.decodeMap(payload);
            } else if (said == BodyKind.STREAM) {
                MessageBody.decodeStream(payload);
            }
            return said;
        } catch (MalformedPropertiesException e) {
            return BodyKind.BYTES;
        }
    }

    /** The kind in words. */
    String type() {
        return switch (kind()) {
            case MESSAGE -> "none";
            case TEXT, NULL_TEXT -> "text";
            case BYTES -> "bytes";
            case MAP -> "map";
            case STREAM -> "stream";
            case OBJECT -> "object";
        };
    }

    /** Bytes of a payload that is elsewhere. */
    long largeLength() {
        return content.block() == null ? 0 : content.block().headerLong(HeaderField.LARGE_LENGTH, 0);
    }
}
