package io.metaq.testkit.vector;

import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A value of a property, map or stream as vectors describe it: a type by its name in the protocol document, and the value in JSON.
 * Numbers are numbers, but for {@code "NaN"}, {@code "Infinity"} and {@code "-Infinity"}; bytes are hex digits; a char is the number of
 * its UTF-16 unit.
 */
public final class TypedValue {
    private TypedValue() {}

    /** The name of a Java value's type. */
    public static String type(@Nullable Object value) {
        if (value == null) {
            return "null";
        } else if (value instanceof byte[]) {
            return "bytes";
        } else if (value instanceof Integer) {
            return "int";
        } else if (value instanceof Character) {
            return "char";
        }
        return value.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }

    /** The Java value in JSON. */
    public static @Nullable Object describe(@Nullable Object value) {
        if (value instanceof byte[] bytes) {
            return HexFormat.of().formatHex(bytes);
        } else if (value instanceof Character unit) {
            return (long) unit;
        } else if (value instanceof Float || value instanceof Double) {
            double number = ((Number) value).doubleValue();
            return Double.isFinite(number) ? (Object) number : (Object) String.valueOf(number);
        } else if (value instanceof Number number) {
            return number.longValue();
        }
        return value;
    }

    /**
     * The Java value of a description.
     *
     * @throws IllegalArgumentException if there is no such type
     */
    public static @Nullable Object read(Object type, @Nullable Object json) {
        return switch (type.toString()) {
            case "null" -> null;
            case "boolean", "string" -> json;
            case "byte" -> number(json).byteValue();
            case "short" -> number(json).shortValue();
            case "int" -> number(json).intValue();
            case "long" -> number(json).longValue();
            case "float" -> (float) real(json);
            case "double" -> real(json);
            case "bytes" -> HexFormat.of().parseHex(String.valueOf(json));
            case "char" -> (char) number(json).intValue();
            default -> throw new IllegalArgumentException("no type " + type);
        };
    }

    private static double real(@Nullable Object json) {
        return json instanceof String word
                ? Double.parseDouble(word)
                : number(json).doubleValue();
    }

    private static Number number(@Nullable Object json) {
        if (json instanceof Number number) {
            return number;
        }
        throw new IllegalArgumentException("not a number: " + json);
    }
}
