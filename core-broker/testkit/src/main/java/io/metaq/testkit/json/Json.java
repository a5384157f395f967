package io.metaq.testkit.json;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON as plain Java: a {@link Map} in its order, a {@link List}, a {@link String}, a {@link Boolean}, a {@link Long} for a number without
 * fraction and exponent, a {@link Double} for any other, and null.
 */
public final class Json {
    private Json() {}

    /** @throws IllegalArgumentException if the text is not one JSON value */
    public static @Nullable Object parse(String text) {
        return new JsonReader(text).whole();
    }

    /**
     * On one line.
     *
     * @param value of the kinds above; any number, but not NaN or an infinity, which JSON does not have
     */
    public static String write(@Nullable Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(@Nullable Object value, StringBuilder out) {
        if (value instanceof Map<?, ?> map) {
            out.append('{');
            String separator = "";
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                out.append(separator);
                string(String.valueOf(entry.getKey()), out);
                out.append(':');
                write(entry.getValue(), out);
                separator = ",";
            }
            out.append('}');
        } else if (value instanceof List<?> list) {
            out.append('[');
            String separator = "";
            for (Object element : list) {
                out.append(separator);
                write(element, out);
                separator = ",";
            }
            out.append(']');
        } else if (value instanceof CharSequence text) {
            string(text, out);
        } else if (value == null || value instanceof Boolean || isFinite(value)) {
            out.append(value);
        } else {
            throw new IllegalArgumentException("JSON has no " + value);
        }
    }

    private static boolean isFinite(Object value) {
        return value instanceof Number number && Double.isFinite(number.doubleValue());
    }

    /** What is not ASCII is escaped, so that it does not matter in which encoding the text is passed on. */
    private static void string(CharSequence text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || c > '~') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
