package io.metaq.protocol.reply;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The answer to {@code topic describe}: a line {@code KEY VALUE} per setting, then a line per partition.
 *
 * @param settings values as in the configuration, in the order to show them; no key is {@code partition}
 */
public record TopicDescription(Map<String, String> settings, List<Partition> partitions) {
    public TopicDescription {
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
        partitions = List.copyOf(partitions);
    }

    /**
     * {@code partition N min OFFSET max OFFSET messages COUNT state STATE}.
     *
     * @param minOffset first byte that is kept
     * @param maxOffset byte after the last readable one
     */
    public record Partition(int partition, long minOffset, long maxOffset, long messages, State state) {
        private String line() {
            return "partition " + partition + " min " + minOffset + " max " + maxOffset + " messages " + messages
                    + " state " + state.word;
        }

        private static Partition parse(String line) {
            String[] words = Lines.words(line, 10);
            return new Partition(
                    Lines.integer(words[1], line),
                    Lines.longInteger(words[3], line),
                    Lines.longInteger(words[5], line),
                    Lines.longInteger(words[7], line),
                    State.parse(words[9], line));
        }
    }

    /** What a partition is closed for. */
    public enum State {
        OPEN("open"),
        PUBLISH_CLOSED("publish-closed"),
        SUBSCRIBE_CLOSED("subscribe-closed"),
        CLOSED("closed");

        private final String word;

        State(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }

        public static State of(boolean publishClosed, boolean subscribeClosed) {
            if (publishClosed) {
                return subscribeClosed ? CLOSED : PUBLISH_CLOSED;
            }
            return subscribeClosed ? SUBSCRIBE_CLOSED : OPEN;
        }

        private static State parse(String word, String line) {
            return Arrays.stream(values())
                    .filter(state -> state.word.equals(word))
                    .findFirst()
                    .orElseThrow(() -> Lines.unexpected(line));
        }
    }

    public String text() {
        List<String> lines = new ArrayList<>();
        settings.forEach((key, value) -> lines.add(key + ' ' + value));
        partitions.forEach(partition -> lines.add(partition.line()));
        return String.join(Lines.SEPARATOR, lines);
    }

    public static TopicDescription parse(String text) {
        Map<String, String> settings = new LinkedHashMap<>();
        List<Partition> partitions = new ArrayList<>();
        for (String line : Lines.of(text)) {
            int space = line.indexOf(' ');
            if (line.startsWith("partition ")) {
                partitions.add(Partition.parse(line));
            } else if (space > 0) {
                settings.put(line.substring(0, space), line.substring(space + 1));
            }
        }
        return new TopicDescription(settings, partitions);
    }
}
