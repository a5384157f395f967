package io.metaq.broker.http;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Values of properties, maps and streams in JSON. What JSON has a form for stands for itself: a string, true, false, null, a long
 * without a fraction, a double with one. The others say their type: {@code {"type": "int", "value": 5}}.
 */
final class TypedValue {
    static final String TYPES = "null, boolean, byte, short, int, long, float, double, string, bytes, char";

    /** JavaScript and others keep no larger whole numbers. */
    private static final long LARGEST_EXACT = 1L << 53;

    private TypedValue() {}

    /** @return Boolean, Byte, Short, Integer, Long, Float, Double, String, Character, byte[] or null */
    static @Nullable Object read(JsonInput in) throws IOException {
        return switch (in.token()) {
            case VALUE_NULL -> null;
            case VALUE_TRUE, VALUE_FALSE -> in.bool();
            case VALUE_STRING -> in.string();
            case VALUE_NUMBER_INT -> in.number(Long.MIN_VALUE, Long.MAX_VALUE);
            case VALUE_NUMBER_FLOAT -> in.decimal();
            case START_OBJECT -> typed(in);
            default ->
                throw in.wrong("a value is a string, a number, true, false, null or {\"type\": …, \"value\": …}");
        };
    }

    private static @Nullable Object typed(JsonInput in) throws IOException {
        // The value may stand before its type, so it is read as it is and made into its type at the end.
        Object[] value = new Object[1];
        String[] type = new String[1];
        in.object(name -> {
            switch (name) {
                case "type" -> type[0] = in.string();
                case "value" -> value[0] = scalar(in);
                default -> throw in.unknown(name, "type, value");
            }
        });
        if (type[0] == null) {
            throw in.wrong("the type is missing; there are " + TYPES);
        }
        try {
            return of(type[0], value[0]);
        } catch (IllegalArgumentException e) {
            throw in.wrong("that is no value of type " + type[0] + "; the types are " + TYPES);
        }
    }

    private static @Nullable Object scalar(JsonInput in) throws IOException {
        if (in.isObject()) {
            throw in.wrong("a value is a string, a number, true, false or null");
        }
        return read(in);
    }

    private static @Nullable Object of(String type, @Nullable Object value) {
        if (value == null) {
            if (type.equals("null")) {
                return null;
            }
            throw new IllegalArgumentException();
        }
        return switch (type) {
            case "boolean" -> of(value, Boolean.class);
            case "byte" -> (byte) whole(value, Byte.MIN_VALUE, Byte.MAX_VALUE);
            case "short" -> (short) whole(value, Short.MIN_VALUE, Short.MAX_VALUE);
            case "int" -> (int) whole(value, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case "long" -> whole(value, Long.MIN_VALUE, Long.MAX_VALUE);
            case "float" -> number(value).floatValue();
            case "double" -> number(value).doubleValue();
            case "string" -> of(value, String.class);
            case "bytes" -> Base64.getDecoder().decode((String) of(value, String.class));
            case "char" -> {
                if (value instanceof Long) {
                    yield (char) whole(value, Character.MIN_VALUE, Character.MAX_VALUE);
                }
                String text = (String) of(value, String.class);
                if (text.length() != 1) {
                    throw new IllegalArgumentException();
                }
                yield text.charAt(0);
            }
            default -> throw new IllegalArgumentException();
        };
    }

    private static Object of(Object value, Class<?> type) {
        if (!type.isInstance(value)) {
            throw new IllegalArgumentException();
        }
        return value;
    }

    private static long whole(Object value, long min, long max) {
        long number = value instanceof String text ? Long.parseLong(text) : (Long) of(value, Long.class);
        if (number < min || number > max) {
            throw new IllegalArgumentException();
        }
        return number;
    }

    private static Number number(Object value) {
        if (value instanceof String text) {
            return switch (text) {
                case "NaN" -> Double.NaN;
                case "Infinity" -> Double.POSITIVE_INFINITY;
                case "-Infinity" -> Double.NEGATIVE_INFINITY;
                default -> throw new IllegalArgumentException();
            };
        }
        return (Number) of(value, Number.class);
    }

    static void write(JsonGenerator json, @Nullable Object value) throws IOException {
        if (value == null) {
            json.writeNull();
        } else if (value instanceof String text) {
            json.writeString(text);
        } else if (value instanceof Boolean flag) {
            json.writeBoolean(flag);
        } else if (value instanceof Long number && Math.abs(number) <= LARGEST_EXACT && number != Long.MIN_VALUE) {
            json.writeNumber(number);
        } else if (value instanceof Double number && !number.isNaN() && !number.isInfinite()) {
            json.writeNumber(number);
        } else {
            json.writeStartObject();
            typed(json, value);
            json.writeEndObject();
        }
    }

    private static void typed(JsonGenerator json, Object value) throws IOException {
        if (value instanceof byte[] bytes) {
            json.writeStringField("type", "bytes");
            json.writeStringField("value", Base64.getEncoder().encodeToString(bytes));
        } else if (value instanceof Long || value instanceof Double) {
            json.writeStringField("type", value instanceof Long ? "long" : "double");
            json.writeStringField("value", value.toString());
        } else if (value instanceof Character character) {
            json.writeStringField("type", "char");
            if (Character.isSurrogate(character)) {
                // Half a character has no form in a string of JSON.
                json.writeNumberField("value", (int) character);
            } else {
                json.writeStringField("value", character.toString());
            }
        } else if (value instanceof Float number) {
            json.writeStringField("type", "float");
            json.writeFieldName("value");
            if (number.isNaN() || number.isInfinite()) {
                json.writeString(number.toString());
            } else {
                json.writeNumber(number);
            }
        } else {
            json.writeStringField("type", value instanceof Integer ? "int" : value instanceof Short ? "short" : "byte");
            json.writeNumberField("value", ((Number) value).intValue());
        }
    }
}
