package io.metaq.client.zookeeper;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A broker's entry under a topic: node {@code <broker>-m} or {@code <broker>-s<N>}, data
 * {@code {"broker":"7-m","numParts":2}}.
 *
 * @param broker the broker's id
 * @param master whether it is the master's entry
 * @param partitions numbered from 0
 */
record TopicNode(int broker, boolean master, int partitions) {
    private static final Pattern NAME = Pattern.compile("(\\d{1,9})-(m|s\\d+)");
    private static final Pattern PARTITIONS = Pattern.compile("\"numParts\"\\s*:\\s*(\\d{1,9})");

    /** Null if it is none, which 1.4 clients skip too. */
    static @Nullable TopicNode parse(String name, String data) {
        Matcher parts = NAME.matcher(name);
        Matcher count = PARTITIONS.matcher(data);
        if (!parts.matches() || !count.find()) {
            return null;
        }
        return new TopicNode(
                Integer.parseInt(parts.group(1)), parts.group(2).equals("m"), Integer.parseInt(count.group(1)));
    }
}
