package io.metaq.client;

import java.util.LinkedHashMap;
import java.util.Map;

/** Reads the lines of a {@code stats} reply. */
final class StatsText {

    private static final String NO_VALUE = "NO VALUE";

    private StatsText() {}

    /** First word of each line to its rest, without the frame {@code STATS … END}. Of several lines with one first word the last counts. */
    static Map<String, String> parse(String text) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String line : text.split("\r?\n", -1)) {
            if (!line.isBlank() && !line.equals("STATS") && !line.equals("END")) {
                int space = line.indexOf(' ');
                values.put(
                        space < 0 ? line : line.substring(0, space), space < 0 ? NO_VALUE : line.substring(space + 1));
            }
        }
        return values;
    }
}
