package io.metaq.broker.command;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The options of an administrative command, with a text that says what is wrong with one. */
record OptionReader(Map<String, String> options) {
    @Nullable
    String text(String key) {
        return options.get(key);
    }

    String required(String key) {
        String value = options.get(key);
        if (value == null || value.isEmpty()) {
            throw new IllegalArgumentException("option " + key + " is missing: give " + key + "=…");
        }
        return value;
    }

    long number(String key) {
        return number(key, required(key));
    }

    long number(String key, long otherwise) {
        String value = options.get(key);
        return value == null ? otherwise : number(key, value);
    }

    int index(String key) {
        long number = number(key);
        if (number < 0 || number > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("option " + key + " must be 0 or more: " + number);
        }
        return (int) number;
    }

    static long number(String key, String value) {
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("option " + key + " must be a whole number: " + value, e);
        }
    }
}
