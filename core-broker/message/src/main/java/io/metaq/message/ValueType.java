package io.metaq.message;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The types of values, in the order of the numbers that stand for them in the bytes. */
enum ValueType {
    NULL(0),
    BOOLEAN(1),
    BYTE(1),
    SHORT(2),
    INT(4),
    LONG(8),
    FLOAT(4),
    DOUBLE(8),
    STRING(-1),
    BYTES(-1),
    CHAR(2);

    private static final ValueType[] TYPES = values();
    private final int length;

    ValueType(int length) {
        this.length = length;
    }

    /** @throws IllegalArgumentException if a value cannot be of the object's class */
    static ValueType of(@Nullable Object value) {
        if (value == null) {
            return NULL;
        } else if (value instanceof String) {
            return STRING;
        } else if (value instanceof Integer) {
            return INT;
        } else if (value instanceof Long) {
            return LONG;
        } else if (value instanceof Boolean) {
            return BOOLEAN;
        } else if (value instanceof Double) {
            return DOUBLE;
        } else if (value instanceof Float) {
            return FLOAT;
        } else if (value instanceof Byte) {
            return BYTE;
        } else if (value instanceof Short) {
            return SHORT;
        } else if (value instanceof byte[]) {
            return BYTES;
        } else if (value instanceof Character) {
            return CHAR;
        }
        throw new IllegalArgumentException(
                "a value cannot be a " + value.getClass().getName());
    }

    /** The type at an index that is known to lie in the buffer. */
    static ValueType at(ByteBuffer in, int at) {
        int number = in.get(at);
        if (number < 0 || number >= TYPES.length) {
            throw new MalformedPropertiesException("no type " + (number & 0xFF) + " (at byte " + at + ")");
        }
        return TYPES[number];
    }

    /** The index behind a value that begins at {@code at}; what is between lies in the buffer. */
    int end(ByteBuffer in, int at) {
        int left = in.limit() - at;
        if (length >= 0) {
            return at + within(length, left, at);
        }
        within(4, left, at);
        int bytes = in.getInt(at);
        if (bytes < 0) {
            throw new MalformedPropertiesException("negative length " + bytes + " (at byte " + at + ")");
        }
        return at + 4 + within(bytes, left - 4, at);
    }

    private static int within(int length, int left, int at) {
        if (length > left) {
            throw new MalformedPropertiesException(
                    "a value of " + length + " bytes where " + left + " are left (at byte " + at + ")");
        }
        return length;
    }

    /** The value at {@code at}, whose {@link #end} has been asked for. */
    @Nullable
    Object read(ByteBuffer in, int at) {
        return switch (this) {
            case NULL -> null;
            case BOOLEAN -> in.get(at) != 0;
            case BYTE -> in.get(at);
            case SHORT -> in.getShort(at);
            case INT -> in.getInt(at);
            case LONG -> in.getLong(at);
            case FLOAT -> in.getFloat(at);
            case DOUBLE -> in.getDouble(at);
            case STRING -> string(in, at + 4, in.getInt(at));
            case BYTES -> bytes(in, at + 4, in.getInt(at));
            case CHAR -> in.getChar(at);
        };
    }

    void write(GrowingBytes out, @Nullable Object value) {
        if (value == null) {
            return;
        }
        switch (this) {
            case BOOLEAN -> out.u8((Boolean) value ? 1 : 0);
            case BYTE -> out.u8(((Number) value).byteValue());
            case SHORT -> out.u16(((Number) value).shortValue());
            case INT -> out.int32(((Number) value).intValue());
            case LONG -> out.int64(((Number) value).longValue());
            case FLOAT -> out.int32(Float.floatToRawIntBits((Float) value));
            case DOUBLE -> out.int64(Double.doubleToRawLongBits((Double) value));
            case STRING -> out.string((String) value);
            case BYTES -> out.int32(((byte[]) value).length).bytes((byte[]) value);
            case CHAR -> out.u16((Character) value);
            case NULL -> throw new IllegalArgumentException("not null: " + value);
        }
    }

    static String string(ByteBuffer in, int at, int length) {
        if (in.hasArray()) {
            return new String(in.array(), in.arrayOffset() + at, length, StandardCharsets.UTF_8);
        }
        return new String(bytes(in, at, length), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(ByteBuffer in, int at, int length) {
        byte[] bytes = new byte[length];
        in.get(at, bytes);
        return bytes;
    }
}
