package io.metaq.protocol.reply;

import java.util.List;
import java.util.stream.Collectors;

/** A line of {@code topic list}: {@code NAME PARTITIONS}. */
public record TopicEntry(String name, int partitions) {
    public static String text(List<TopicEntry> topics) {
        return topics.stream().map(TopicEntry::line).collect(Collectors.joining(Lines.SEPARATOR));
    }

    public static List<TopicEntry> parse(String text) {
        return Lines.of(text).stream().map(TopicEntry::parseLine).toList();
    }

    private String line() {
        return name + ' ' + partitions;
    }

    private static TopicEntry parseLine(String line) {
        String[] words = Lines.words(line, 2);
        return new TopicEntry(words[0], Lines.integer(words[1], line));
    }
}
