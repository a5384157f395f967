package io.metaq.protocol.reply;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to {@code group describe}: lines {@code generation N}, {@code member NAME TOPIC,TOPIC…}, and per partition that the
 * group has an offset or an owner for {@code partition TOPIC N offset OFFSET end OFFSET lag BYTES owner NAME}. An offset that was
 * never committed is -1, a missing owner is {@code -}.
 */
public record GroupDescription(long generation, List<Member> members, List<Partition> partitions) {
    public GroupDescription {
        members = List.copyOf(members);
        partitions = List.copyOf(partitions);
    }

    public record Member(String name, List<String> topics) {}

    /**
     * @param offset where the group reads next, or -1
     * @param endOffset byte after the last readable one
     * @param lag bytes between the two
     */
    public record Partition(
            String topic,
            int partition,
            long offset,
            long endOffset,
            long lag,
            @Nullable String owner) {}

    public String text() {
        List<String> lines = new ArrayList<>();
        lines.add("generation " + generation);
        members.forEach(m -> lines.add("member " + m.name + ' ' + String.join(",", m.topics)));
        partitions.forEach(p -> lines.add("partition " + p.topic + ' ' + p.partition + " offset " + p.offset + " end "
                + p.endOffset + " lag " + p.lag + " owner " + (p.owner == null ? "-" : p.owner)));
        return String.join(Lines.SEPARATOR, lines);
    }

    public static GroupDescription parse(String text) {
        long generation = 0;
        List<Member> members = new ArrayList<>();
        List<Partition> partitions = new ArrayList<>();
        for (String line : Lines.of(text)) {
            String[] words = Lines.words(line, 2);
            switch (words[0]) {
                case "generation" -> generation = Lines.longInteger(words[1], line);
                case "member" ->
                    members.add(new Member(words[1], words.length < 3 ? List.of() : List.of(words[2].split(","))));
                case "partition" -> partitions.add(partition(line));
                default -> {
                    // A newer broker says more.
                }
            }
        }
        return new GroupDescription(generation, members, partitions);
    }

    private static Partition partition(String line) {
        String[] words = Lines.words(line, 11);
        return new Partition(
                words[1],
                Lines.integer(words[2], line),
                Lines.longInteger(words[4], line),
                Lines.longInteger(words[6], line),
                Lines.longInteger(words[8], line),
                words[10].equals("-") ? null : words[10]);
    }
}
