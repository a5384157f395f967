package io.metaq.broker.http;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;

/** The lines that administrative commands answer, read as what they say. */
final class Lines {
    private Lines() {}

    /** Each line's words. */
    static List<String[]> of(String text) {
        return text.lines()
                .filter(line -> !line.isEmpty())
                .map(line -> line.split(" "))
                .toList();
    }

    /** What follows the key in a line {@code key value}, whose value may have spaces. */
    static String rest(String line, String key) {
        return line.length() > key.length() ? line.substring(key.length() + 1) : "";
    }

    /** Writes a value as what it looks like: a number, true or false, else a string. */
    static void write(JsonGenerator json, String value) throws IOException {
        if (value.equals("true") || value.equals("false")) {
            json.writeBoolean(Boolean.parseBoolean(value));
        } else if (value.matches("-?(0|[1-9]\\d{0,14})")) {
            json.writeNumber(Long.parseLong(value));
        } else {
            json.writeString(value);
        }
    }
}
