package io.metaq.message;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The headers and properties of one message, read where they lie: a lookup walks the bytes and makes only the object that is asked
 * for. Shares the buffer with its owner and is as long-lived as that. Any reader may throw {@link MalformedPropertiesException},
 * since nothing is checked before it is passed; {@link #check} walks all of it.
 *
 * <pre>
 * block = entries: type (1 byte), name, value
 * name  = u8 n: 0 → a header, its number follows as u8; 1…254 → n bytes of UTF-8; 255 → u16 length, UTF-8
 * </pre>
 *
 * Where an entry is there twice the first one counts.
 */
public final class PropertyBlock {
    private static final int NONE = -1;
    private static final int LONG_NAME = 255;

    private final ByteBuffer in;

    private PropertyBlock(ByteBuffer in) {
        this.in = in;
    }

    /** @param block the bytes from its position to its limit; its indices are left alone */
    public static PropertyBlock of(ByteBuffer block) {
        return new PropertyBlock(block.slice().order(ByteOrder.BIG_ENDIAN));
    }

    /**
     * The block of a message, null if the flag says that there is none.
     *
     * @param body the whole body of the message
     * @throws MalformedPropertiesException if the body is too short for what the flag promises
     */
    public static @Nullable PropertyBlock ofBody(int flag, ByteBuffer body) {
        if ((flag & MessageFlags.PROPERTIES) == 0) {
            return null;
        }
        int start = MessageFlags.blockStart(flag, body) + 4;
        int end = MessageFlags.bodyStart(flag, body);
        return new PropertyBlock(body.slice(start, end - start).order(ByteOrder.BIG_ENDIAN));
    }

    /** The value of the header in the type that it was written in, or null where there is none. */
    public @Nullable Object header(HeaderField field) {
        int at = find(field);
        return at == NONE ? null : value(at);
    }

    /** The header as a string, null where it is absent or no string. */
    public @Nullable String headerString(HeaderField field) {
        return header(field) instanceof String text ? text : null;
    }

    /** The header as a number, {@code absent} where there is none or no whole number. */
    public long headerLong(HeaderField field, long absent) {
        int at = find(field);
        if (at == NONE) {
            return absent;
        }
        int from = valueStart(at);
        return switch (ValueType.at(in, at)) {
            case BYTE -> in.get(from);
            case SHORT -> in.getShort(from);
            case INT -> in.getInt(from);
            case LONG -> in.getLong(from);
            default -> absent;
        };
    }

    /** As {@link #headerLong}, its low 32 bits. */
    public int headerInt(HeaderField field, int absent) {
        return (int) headerLong(field, absent);
    }

    /** The property, or the header that applications see under that name; null where there is none or it is null. */
    public @Nullable Object property(String name) {
        int at = findProperty(name);
        return at == NONE ? null : value(at);
    }

    public boolean hasProperty(String name) {
        return findProperty(name) != NONE;
    }

    /** All properties in the order of the block, with the headers that applications see as properties. */
    public void forEachProperty(BiConsumer<String, @Nullable Object> visitor) {
        for (int at = 0; at < in.limit(); at = next(at)) {
            String name = nameAt(at);
            if (name != null) {
                visitor.accept(name, value(at));
            }
        }
    }

    /** All headers of this version, in the order of the block. */
    public void forEachHeader(BiConsumer<HeaderField, @Nullable Object> visitor) {
        for (int at = 0; at < in.limit(); at = next(at)) {
            HeaderField field = isHeader(at) ? HeaderField.of(in.get(at + 2) & 0xFF) : null;
            if (field != null) {
                visitor.accept(field, value(at));
            }
        }
    }

    /** The entries of a map, which has no headers. */
    void forEachEntry(BiConsumer<String, @Nullable Object> visitor) {
        for (int at = 0; at < in.limit(); at = next(at)) {
            int start = nameStart(at);
            int end = valueStart(at);
            if (isHeader(at) || start == end) {
                throw new MalformedPropertiesException("an entry without a name (at byte " + at + ")");
            }
            visitor.accept(ValueType.string(in, start, end - start), value(at));
        }
    }

    /** @throws MalformedPropertiesException if any part of the block is not as it must be */
    public PropertyBlock check() {
        for (int at = 0; at < in.limit(); ) {
            at = next(at);
        }
        return this;
    }

    /** Length in bytes. */
    public int length() {
        return in.limit();
    }

    /** Index of the entry, or a negative number. */
    int find(HeaderField field) {
        for (int at = 0; at < in.limit(); ) {
            int value = valueStart(at);
            int end = ValueType.at(in, at).end(in, value);
            if (in.get(at + 1) == 0 && (in.get(at + 2) & 0xFF) == field.number()) {
                return at;
            }
            at = end;
        }
        return NONE;
    }

    /** Index of the entry of that name, not looking at headers, or a negative number. */
    int find(byte[] utf8Name) {
        for (int at = 0; at < in.limit(); ) {
            int value = valueStart(at);
            int end = ValueType.at(in, at).end(in, value);
            // The name is all that lies between its length and the value.
            int name = value - utf8Name.length;
            if (name == nameStart(at) && in.get(at + 1) != 0 && matches(name, utf8Name, value)) {
                return at;
            }
            at = end;
        }
        return NONE;
    }

    private int findProperty(String name) {
        HeaderField field = HeaderField.ofProperty(name);
        return field != null ? find(field) : find(name.getBytes(StandardCharsets.UTF_8));
    }

    /** The value of the entry at that index. */
    @Nullable
    Object value(int at) {
        ValueType type = ValueType.at(in, at);
        int from = valueStart(at);
        type.end(in, from);
        return type.read(in, from);
    }

    /** Whether the entry that a find has given is a string of exactly these bytes; saves the string. */
    boolean isString(int at, byte[] utf8) {
        int from = valueStart(at);
        return ValueType.at(in, at) == ValueType.STRING
                && in.getInt(from) == utf8.length
                && matches(from + 4, utf8, in.limit());
    }

    boolean isOfType(int at, ValueType type) {
        return ValueType.at(in, at) == type;
    }

    /** Copies the entries that the target has not and that are no header to leave out. */
    void copyTo(PropertyBlockWriter target, Set<HeaderField> without) {
        for (int at = 0; at < in.limit(); at = next(at)) {
            if (isHeader(at)) {
                HeaderField field = HeaderField.of(in.get(at + 2) & 0xFF);
                if (field == null) {
                    target.raw(in, at, next(at));
                } else if (!without.contains(field) && !target.has(field)) {
                    target.header(field, value(at));
                }
            } else {
                int start = nameStart(at);
                String name = ValueType.string(in, start, valueStart(at) - start);
                if (!target.has(name)) {
                    target.property(name, value(at));
                }
            }
        }
    }

    private int next(int at) {
        return ValueType.at(in, at).end(in, valueStart(at));
    }

    private @Nullable String nameAt(int at) {
        if (isHeader(at)) {
            HeaderField field = HeaderField.of(in.get(at + 2) & 0xFF);
            return field == null ? null : field.propertyName();
        }
        int start = nameStart(at);
        return ValueType.string(in, start, valueStart(at) - start);
    }

    private boolean isHeader(int at) {
        // The number behind the zero is in the buffer, or valueStart throws.
        return valueStart(at) == at + 3 && in.get(at + 1) == 0;
    }

    private boolean matches(int at, byte[] expected, int end) {
        if (expected.length > end - at) {
            return false;
        }
        for (int i = 0; i < expected.length; i++) {
            if (in.get(at + i) != expected[i]) {
                return false;
            }
        }
        return true;
    }

    private int nameStart(int at) {
        return at + 1 < in.limit() && in.get(at + 1) == (byte) LONG_NAME ? at + 4 : at + 2;
    }

    /** Index of the value of the entry, behind a name that lies in the buffer. */
    private int valueStart(int at) {
        int left = in.limit() - at;
        if (left < 2) {
            throw cut(at);
        }
        int length = in.get(at + 1) & 0xFF;
        int end;
        if (length == 0) {
            end = 3;
        } else if (length < LONG_NAME) {
            end = 2 + length;
        } else if (left < 4) {
            throw cut(at);
        } else {
            end = 4 + (in.getShort(at + 2) & 0xFFFF);
        }
        if (end > left) {
            throw cut(at);
        }
        return at + end;
    }

    private MalformedPropertiesException cut(int at) {
        return new MalformedPropertiesException(
                "a block of " + in.limit() + " bytes ends in the name of its entry at byte " + at);
    }
}
