package io.metaq.broker.http;

import io.metaq.message.BodyKind;
import io.metaq.message.HeaderField;
import io.metaq.message.MalformedPropertiesException;
import io.metaq.message.MessageBody;
import io.metaq.message.MessageFlags;
import io.metaq.message.PropertyBlock;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a stored body is made of.
 *
 * @param kind what the payload is said to be
 * @param block null if there is none, or it is malformed: then all is bytes, as with JMS
 * @param payload where it is in chunks elsewhere: their offsets
 */
record Content(
        BodyKind kind, @Nullable String attribute, @Nullable PropertyBlock block, ByteBuffer payload, boolean large) {
    /** Properties that are headers here. */
    private static final Set<String> HEADERS = Arrays.stream(HeaderField.values())
            .map(HeaderField::propertyName)
            .filter(Objects::nonNull)
            .collect(Collectors.toUnmodifiableSet());

    static Content of(int flag, ByteBuffer body) {
        try {
            PropertyBlock block = PropertyBlock.ofBody(flag, body);
            if (block != null) {
                block.check();
            }
            ByteBuffer payload = MessageBody.payload(flag, body);
            BodyKind kind = block == null ? BodyKind.BYTES : BodyKind.of(block);
            boolean large = block != null && MessageFlags.has(flag, MessageFlags.LARGE);
            return new Content(kind, attribute(flag, body), block, payload, large);
        } catch (MalformedPropertiesException e) {
            return new Content(BodyKind.BYTES, null, null, body, false);
        }
    }

    private static @Nullable String attribute(int flag, ByteBuffer body) {
        return (flag & MessageFlags.ATTRIBUTE) == 0
                ? null
                : MessageBody.decodeText(body.slice(body.position() + 4, body.getInt(body.position())));
    }

    /** The properties of the application. */
    Map<String, @Nullable Object> properties() {
        Map<String, @Nullable Object> properties = new LinkedHashMap<>();
        if (block != null) {
            block.forEachProperty((name, value) -> {
                if (!HEADERS.contains(name)) {
                    properties.putIfAbsent(name, value);
                }
            });
        }
        return properties;
    }
}
