package io.metaq.message;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parts of a body, and the payloads that have a structure. */
public final class MessageBody {
    private MessageBody() {}

    /**
     * A body of block and payload, without an attribute.
     *
     * @param block an empty one is left out: the flag then has no bit {@link MessageFlags#PROPERTIES}
     */
    public static byte[] join(byte[] block, ByteBuffer payload) {
        int start = block.length == 0 ? 0 : 4 + block.length;
        byte[] body = new byte[Math.addExact(start, payload.remaining())];
        if (start > 0) {
            ByteBuffer.wrap(body).putInt(block.length).put(block);
        }
        payload.get(payload.position(), body, start, payload.remaining());
        return body;
    }

    public static byte[] join(byte[] block, byte[] payload) {
        return join(block, ByteBuffer.wrap(payload));
    }

    /**
     * What is behind attribute and property block, sharing the buffer.
     *
     * @throws MalformedPropertiesException if the body is too short for what the flag promises
     */
    public static ByteBuffer payload(int flag, ByteBuffer body) {
        int start = MessageFlags.bodyStart(flag, body);
        return body.slice(start, body.limit() - start);
    }

    /**
     * The body with another property block, or with one for the first time; attribute and payload stay.
     *
     * @param block what to write; its flags go into the message's flag by {@link MessageFlags#withBlock}
     */
    public static byte[] replaceBlock(int flag, ByteBuffer body, PropertyBlockWriter block) {
        int attributeEnd = MessageFlags.blockStart(flag, body);
        byte[] rest = block.join(payload(flag, body));
        int attributeLength = attributeEnd - body.position();
        byte[] joined = new byte[Math.addExact(attributeLength, rest.length)];
        body.get(body.position(), joined, 0, attributeLength);
        System.arraycopy(rest, 0, joined, attributeLength, rest.length);
        return joined;
    }

    /**
     * The payload of a map: int32 count, then entries of type, name and value as in a property block.
     *
     * @throws IllegalArgumentException if a name is empty or a value of a type that has no number
     */
    public static byte[] encodeMap(Map<String, ? extends @Nullable Object> map) {
        GrowingBytes out = new GrowingBytes(64 + 24 * map.size());
        out.int32(map.size());
        map.forEach((name, value) -> PropertyBlockWriter.entry(out, name, value));
        return out.toBytes();
    }

    /**
     * In the order of the payload. An empty payload is an empty map.
     *
     * @throws MalformedPropertiesException if the payload is no map
     */
    public static Map<String, @Nullable Object> decodeMap(ByteBuffer payload) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        if (!payload.hasRemaining()) {
            return map;
        }
        if (payload.remaining() < 4) {
            throw new MalformedPropertiesException("a map of " + payload.remaining() + " bytes");
        }
        ByteBuffer in = payload.slice().order(ByteOrder.BIG_ENDIAN);
        int count = in.getInt(0);
        PropertyBlock.of(in.position(4)).forEachEntry(map::put);
        if (map.size() != count) {
            throw new MalformedPropertiesException("a map that promises " + count + " entries has " + map.size());
        }
        return map;
    }

    /**
     * The payload of a stream: type and value, one behind the other.
     *
     * @throws IllegalArgumentException if a value is of a type that has no number
     */
    public static byte[] encodeStream(List<? extends @Nullable Object> values) {
        GrowingBytes out = new GrowingBytes(64 + 8 * values.size());
        for (Object value : values) {
            ValueType type = ValueType.of(value);
            out.u8(type.ordinal());
            type.write(out, value);
        }
        return out.toBytes();
    }

    /** @throws MalformedPropertiesException if the payload is no stream */
    public static List<@Nullable Object> decodeStream(ByteBuffer payload) {
        ByteBuffer in = payload.slice().order(ByteOrder.BIG_ENDIAN);
        List<@Nullable Object> values = new ArrayList<>();
        for (int at = 0; at < in.limit(); ) {
            ValueType type = ValueType.at(in, at);
            int end = type.end(in, at + 1);
            values.add(type.read(in, at + 1));
            at = end;
        }
        return values;
    }

    public static byte[] encodeText(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    public static String decodeText(ByteBuffer payload) {
        return ValueType.string(payload, payload.position(), payload.remaining());
    }
}
