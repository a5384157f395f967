package io.metaq.testkit.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads one JSON value from a text, by descent. */
final class JsonReader {
    private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?([eE][+-]?\\d+)?");

    private final String text;
    private int at;

    JsonReader(String text) {
        this.text = text;
    }

    @Nullable
    Object whole() {
        Object value = value();
        space();
        if (at < text.length()) {
            throw wrong("the end");
        }
        return value;
    }

    private @Nullable Object value() {
        space();
        if (at == text.length()) {
            throw wrong("a value");
        }
        return switch (text.charAt(at)) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, @Nullable Object> object() {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        expect('{');
        for (boolean first = true; !ends('}', first); first = false) {
            space();
            String key = string();
            expect(':');
            if (object.put(key, value()) != null) {
                throw wrong("a new key instead of " + key);
            }
        }
        return object;
    }

    private List<@Nullable Object> array() {
        List<@Nullable Object> array = new ArrayList<>();
        expect('[');
        for (boolean first = true; !ends(']', first); first = false) {
            array.add(value());
        }
        return array;
    }

    /** Whether the list is over; if not, and it has begun, a comma is read. */
    private boolean ends(char end, boolean first) {
        space();
        if (at < text.length() && text.charAt(at) == end) {
            at++;
            return true;
        }
        if (!first) {
            expect(',');
        }
        return false;
    }

    private String string() {
        expect('"');
        StringBuilder out = new StringBuilder();
        while (at < text.length() && text.charAt(at) != '"') {
            char c = text.charAt(at++);
            out.append(c == '\\' ? escaped() : c);
        }
        expect('"');
        return out.toString();
    }

    private char escaped() {
        char c = at < text.length() ? text.charAt(at++) : ' ';
        if (c == 'u' && at + 4 <= text.length()) {
            at += 4;
            return (char) Integer.parseInt(text.substring(at - 4, at), 16);
        }
        int known = "\"\\/bfnrt".indexOf(c);
        if (known < 0) {
            throw wrong("an escape");
        }
        return "\"\\/\b\f\n\r\t".charAt(known);
    }

    private @Nullable Object word(String word, @Nullable Object value) {
        if (!text.startsWith(word, at)) {
            throw wrong(word);
        }
        at += word.length();
        return value;
    }

    private Number number() {
        Matcher number = NUMBER.matcher(text).region(at, text.length());
        if (!number.lookingAt()) {
            throw wrong("a value");
        }
        at = number.end();
        boolean whole = number.group(1) == null && number.group(2) == null;
        return whole ? (Number) Long.parseLong(number.group()) : (Number) Double.parseDouble(number.group());
    }

    private void expect(char c) {
        space();
        if (at == text.length() || text.charAt(at) != c) {
            throw wrong("'" + c + "'");
        }
        at++;
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private IllegalArgumentException wrong(String wanted) {
        return new IllegalArgumentException("expected " + wanted + " at character " + at + " of "
                + text.substring(0, Math.min(200, text.length())));
    }
}
