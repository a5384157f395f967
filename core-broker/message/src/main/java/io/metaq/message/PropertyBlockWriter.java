package io.metaq.message;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes a {@link PropertyBlock}. Headers with a value that means the same as their absence are left out, so that an ordinary
 * message has a small block. Nothing checks whether a name is written twice: {@link #has} tells.
 */
public final class PropertyBlockWriter {
    private static final int LONGEST_SHORT_NAME = 254;
    private static final int LONGEST_NAME = 0xFFFF;
    private static final int LENGTH_PREFIX = 4;

    /** Begins with room for the block's length, so that a body is one array and one copy. */
    private final GrowingBytes out = new GrowingBytes(192);

    private int flags;

    public PropertyBlockWriter() {
        out.int32(0);
    }

    /**
     * @param value in the header's type (any number for a number); null: nothing is written
     * @throws IllegalArgumentException if it is of another type
     */
    public PropertyBlockWriter header(HeaderField field, @Nullable Object value) {
        if (value == null) {
            return this;
        }
        ValueType type = typeOf(field, value);
        if (!field.isDefault(value)) {
            out.u8(type.ordinal()).u8(0).u8(field.number());
            type.write(out, value);
            flags |= flagOf(field);
        }
        return this;
    }

    /**
     * @param name not empty; that of a header which applications see as a property writes the header
     * @param value Boolean, Byte, Short, Integer, Long, Float, Double, String, Character, byte[] or null
     * @throws IllegalArgumentException if the value is something else, or the name empty or longer than 65,535 bytes
     */
    public PropertyBlockWriter property(String name, @Nullable Object value) {
        HeaderField field = HeaderField.ofProperty(name);
        if (field != null) {
            return header(field, value);
        }
        entry(out, name, value);
        return this;
    }

    /** Adds what the other block has and this one has not yet, but for some headers. */
    public PropertyBlockWriter addAll(PropertyBlock other, Set<HeaderField> without) {
        other.copyTo(this, without);
        return this;
    }

    public boolean has(HeaderField field) {
        return written().find(field) >= 0;
    }

    public boolean has(String property) {
        return written().hasProperty(property);
    }

    /** The bits of {@link MessageFlags} that a message with this block and no attribute has; 0 if nothing was written. */
    public int flags() {
        return isEmpty() ? 0 : flags | MessageFlags.PROPERTIES;
    }

    public boolean isEmpty() {
        return out.size() == LENGTH_PREFIX;
    }

    /** The block without its length. */
    public byte[] toBytes() {
        byte[] block = new byte[out.size() - LENGTH_PREFIX];
        System.arraycopy(out.array(), LENGTH_PREFIX, block, 0, block.length);
        return block;
    }

    /** The body of a message with this block, without an attribute. Nothing but the payload if nothing was written. */
    public byte[] join(ByteBuffer payload) {
        int start = isEmpty() ? 0 : out.size();
        byte[] body = new byte[Math.addExact(start, payload.remaining())];
        if (start > 0) {
            out.setInt32(0, start - LENGTH_PREFIX);
            System.arraycopy(out.array(), 0, body, 0, start);
        }
        payload.get(payload.position(), body, start, payload.remaining());
        return body;
    }

    void raw(ByteBuffer in, int from, int to) {
        byte[] bytes = new byte[to - from];
        in.get(from, bytes);
        out.bytes(bytes);
    }

    private PropertyBlock written() {
        return PropertyBlock.of(ByteBuffer.wrap(out.array(), LENGTH_PREFIX, out.size() - LENGTH_PREFIX));
    }

    /** Also the format of a map's entries. */
    static void entry(GrowingBytes out, String name, @Nullable Object value) {
        ValueType type = ValueType.of(value);
        int at = out.size();
        out.u8(type.ordinal()).u8(name.length());
        if (name.isEmpty() || name.length() > LONGEST_SHORT_NAME || !out.ascii(name)) {
            out.cut(at);
            longName(out, type, name.getBytes(StandardCharsets.UTF_8));
        }
        type.write(out, value);
    }

    private static void longName(GrowingBytes out, ValueType type, byte[] utf8) {
        if (utf8.length == 0 || utf8.length > LONGEST_NAME) {
            throw new IllegalArgumentException("a name has 1 to 65,535 bytes, not " + utf8.length);
        }
        out.u8(type.ordinal());
        if (utf8.length > LONGEST_SHORT_NAME) {
            out.u8(255).u16(utf8.length).bytes(utf8);
        } else {
            out.u8(utf8.length).bytes(utf8);
        }
    }

    private static ValueType typeOf(HeaderField field, Object value) {
        ValueType type = field.type();
        boolean fits = switch (type) {
            case STRING -> value instanceof String;
            default ->
                value instanceof Byte || value instanceof Short || value instanceof Integer || value instanceof Long;
        };
        if (fits) {
            return type;
        }
        if (field == HeaderField.CORRELATION_ID && value instanceof byte[]) {
            return ValueType.BYTES;
        }
        throw new IllegalArgumentException(
                field + " cannot be a " + value.getClass().getName());
    }

    private static int flagOf(HeaderField field) {
        return switch (field) {
            case PRIORITY, DELIVERY_TIME -> MessageFlags.SCHEDULED;
            case GROUP_ID -> MessageFlags.GROUPED;
            case EXPIRATION -> MessageFlags.EXPIRES;
            case LARGE_TOPIC -> MessageFlags.LARGE;
            default -> 0;
        };
    }
}
