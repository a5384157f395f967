package io.metaq.protocol.reply;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A line of {@code group offsets} and {@code group history}: {@code TOPIC PARTITION OFFSET ID TIME_MS}.
 *
 * @param offset where the group reads next
 * @param messageId id of the last message it finished, -1 where it did not say
 * @param timeMs when the offset was committed, epoch milliseconds of the broker's clock
 */
public record GroupOffset(String topic, int partition, long offset, long messageId, long timeMs) {
    public static String text(List<GroupOffset> offsets) {
        return offsets.stream().map(GroupOffset::line).collect(Collectors.joining(Lines.SEPARATOR));
    }

    public static List<GroupOffset> parse(String text) {
        return Lines.of(text).stream().map(GroupOffset::parseLine).toList();
    }

    private String line() {
        return topic + ' ' + partition + ' ' + offset + ' ' + messageId + ' ' + timeMs;
    }

    private static GroupOffset parseLine(String line) {
        String[] words = Lines.words(line, 5);
        return new GroupOffset(
                words[0],
                Lines.integer(words[1], line),
                Lines.longInteger(words[2], line),
                Lines.longInteger(words[3], line),
                Lines.longInteger(words[4], line));
    }
}
