package io.metaq.client;

import io.metaq.client.Admin.GroupOffset;
import io.metaq.client.Admin.PartitionDescription;
import io.metaq.client.Admin.TopicDescription;
import io.metaq.client.Admin.TopicSummary;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the replies to topic and group commands. Unknown words in a line are passed over, so that newer brokers may say more. */
final class TopicText {

    private TopicText() {}

    static List<String> lines(String text) {
        List<String> lines = new ArrayList<>();
        for (String line : text.split("\r?\n", -1)) {
            if (!line.isBlank()) {
                lines.add(line);
            }
        }
        return lines;
    }

    /** Number of partitions in a {@code topic describe}. */
    static int partitionCount(String description) {
        int count = 0;
        for (String line : lines(description)) {
            if (line.startsWith("partition ")) {
                count = Math.max(count, 1 + Integer.parseInt(line.split(" ", -1)[1]));
            }
        }
        return count;
    }

    /** {@code key value} lines, then {@code partition N min M max M messages C state S} lines. */
    static TopicDescription description(String topic, BrokerNode server, String text) {
        Map<String, String> settings = new LinkedHashMap<>();
        List<PartitionDescription> partitions = new ArrayList<>();
        for (String line : lines(text)) {
            // Of the topic's own settings the key is two words: set KEY.
            int space = line.indexOf(' ', line.startsWith("set ") ? "set ".length() : 0);
            if (line.startsWith("partition ")) {
                partitions.add(partition(line));
            } else {
                settings.put(space < 0 ? line : line.substring(0, space), space < 0 ? "" : line.substring(space + 1));
            }
        }
        return new TopicDescription(topic, server, settings, List.copyOf(partitions));
    }

    private static PartitionDescription partition(String line) {
        Map<String, String> words = pairs(line);
        return new PartitionDescription(
                Integer.parseInt(words.getOrDefault("partition", "-1")),
                Long.parseLong(words.getOrDefault("min", "0")),
                Long.parseLong(words.getOrDefault("max", "0")),
                Long.parseLong(words.getOrDefault("messages", "-1")),
                words.getOrDefault("state", "open"));
    }

    /** Words two by two: a key and its value. */
    static Map<String, String> pairs(String line) {
        String[] words = line.split(" ", -1);
        Map<String, String> pairs = new HashMap<>();
        for (int i = 0; i + 1 < words.length; i += 2) {
            pairs.put(words[i], words[i + 1]);
        }
        return pairs;
    }

    /** {@code name partitions} lines. */
    static List<TopicSummary> summaries(String text) {
        List<TopicSummary> topics = new ArrayList<>();
        for (String line : lines(text)) {
            String[] words = line.split(" ", -1);
            topics.add(new TopicSummary(words[0], words.length > 1 ? Integer.parseInt(words[1]) : 0));
        }
        return topics;
    }

    /** {@code T P OFFSET ID TIME_MS} lines; behind a line {@code at TIME_MS} they are as of that time. */
    static List<GroupOffset> offsets(int broker, String text) {
        List<GroupOffset> offsets = new ArrayList<>();
        String moment = null;
        for (String line : lines(text)) {
            String[] words = line.split(" ", -1);
            if (words.length == 2 && words[0].equals("at")) {
                moment = words[1];
            } else {
                String time = moment != null ? moment : words.length > 4 ? words[4] : "0";
                offsets.add(new GroupOffset(
                        new TopicPartition(words[0], broker, Integer.parseInt(words[1])),
                        new StoredOffset(Long.parseLong(words[2]), words.length > 3 ? Long.parseLong(words[3]) : -1),
                        Long.parseLong(time)));
            }
        }
        return offsets;
    }
}
