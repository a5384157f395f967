package io.metaq.jms.message;

import jakarta.jms.MessageFormatException;
import org.jspecify.annotations.Nullable;

/**
 * The conversion table of properties, maps and streams (sections 3.5.4 and 3.11.3). What is not in the table is a
 * MessageFormatException. Strings, and null where a primitive is asked for, go through the primitive's {@code valueOf(String)}: so
 * null is false, NumberFormatException or NullPointerException as that method has it.
 */
final class Conversions {
    private Conversions() {}

    static boolean toBoolean(@Nullable Object value) throws MessageFormatException {
        if (value instanceof Boolean bool) {
            return bool;
        } else if (value == null || value instanceof String) {
            return Boolean.parseBoolean((String) value);
        }
        throw inconvertible(value, "boolean");
    }

    static byte toByte(@Nullable Object value) throws MessageFormatException {
        if (value instanceof Byte number) {
            return number;
        } else if (value == null || value instanceof String) {
            return Byte.parseByte(digits(value));
        }
        throw inconvertible(value, "byte");
    }

    static short toShort(@Nullable Object value) throws MessageFormatException {
        if (value instanceof Short || value instanceof Byte) {
            return ((Number) value).shortValue();
        } else if (value == null || value instanceof String) {
            return Short.parseShort(digits(value));
        }
        throw inconvertible(value, "short");
    }

    static int toInt(@Nullable Object value) throws MessageFormatException {
        if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return ((Number) value).intValue();
        } else if (value == null || value instanceof String) {
            return Integer.parseInt(digits(value));
        }
        throw inconvertible(value, "int");
    }

    static long toLong(@Nullable Object value) throws MessageFormatException {
        if (value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return ((Number) value).longValue();
        } else if (value == null || value instanceof String) {
            return Long.parseLong(digits(value));
        }
        throw inconvertible(value, "long");
    }

    static float toFloat(@Nullable Object value) throws MessageFormatException {
        if (value instanceof Float number) {
            return number;
        } else if (value instanceof String text) {
            return Float.parseFloat(text);
        } else if (value == null) {
            throw new NullPointerException("null as float");
        }
        throw inconvertible(value, "float");
    }

    static double toDouble(@Nullable Object value) throws MessageFormatException {
        if (value instanceof Double || value instanceof Float) {
            return ((Number) value).doubleValue();
        } else if (value instanceof String text) {
            return Double.parseDouble(text);
        } else if (value == null) {
            throw new NullPointerException("null as double");
        }
        throw inconvertible(value, "double");
    }

    static char toChar(@Nullable Object value) throws MessageFormatException {
        if (value instanceof Character character) {
            return character;
        } else if (value == null) {
            throw new NullPointerException("null as char");
        }
        throw inconvertible(value, "char");
    }

    static @Nullable String toText(@Nullable Object value) throws MessageFormatException {
        if (value instanceof byte[]) {
            throw inconvertible(value, "String");
        }
        return value == null ? null : value.toString();
    }

    /** The array itself. */
    static byte @Nullable [] toBytes(@Nullable Object value) throws MessageFormatException {
        if (value == null || value instanceof byte[]) {
            return (byte[]) value;
        }
        throw inconvertible(value, "byte[]");
    }

    /** The value, an array copied, if it may stand in a map or stream. */
    static @Nullable Object checked(@Nullable Object value) throws MessageFormatException {
        if (value instanceof byte[] bytes) {
            return bytes.clone();
        } else if (value instanceof Character || isProperty(value)) {
            return value;
        }
        throw notAllowed(value);
    }

    /** Whether the value may be a property's. */
    static boolean isProperty(@Nullable Object value) {
        return value == null
                || value instanceof String
                || value instanceof Boolean
                || value instanceof Byte
                || value instanceof Short
                || value instanceof Integer
                || value instanceof Long
                || value instanceof Float
                || value instanceof Double;
    }

    static MessageFormatException notAllowed(@Nullable Object value) {
        return new MessageFormatException("a value cannot be a " + nameOf(value));
    }

    private static String digits(@Nullable Object value) {
        if (value == null) {
            throw new NumberFormatException("null");
        }
        return (String) value;
    }

    private static MessageFormatException inconvertible(@Nullable Object value, String type) {
        return new MessageFormatException("a " + nameOf(value) + " cannot be read as " + type);
    }

    private static String nameOf(@Nullable Object value) {
        return value == null ? "null" : value.getClass().getSimpleName();
    }
}
