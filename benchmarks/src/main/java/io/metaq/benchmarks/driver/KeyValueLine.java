package io.metaq.benchmarks.driver;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** {@code key=value} tokens separated by spaces: the form of jobs and figures between coordinator and driver. */
public final class KeyValueLine {

    private KeyValueLine() {}

    /** @throws IllegalArgumentException for a token without {@code =}, or a key that stands twice */
    public static Map<String, String> parse(String line) {
        Map<String, String> values = new LinkedHashMap<>();
        if (line.isBlank()) {
            return values;
        }
        for (String token : line.strip().split(" +")) {
            int equals = token.indexOf('=');
            if (equals <= 0) {
                throw new IllegalArgumentException("not key=value: " + token);
            }
            if (values.put(token.substring(0, equals), token.substring(equals + 1)) != null) {
                throw new IllegalArgumentException("twice in one line: " + token);
            }
        }
        return values;
    }

    public static String format(Map<String, ?> values) {
        return new TreeMap<>(values)
                .entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .collect(Collectors.joining(" "));
    }
}
