package io.metaq.protocol.reply;

import java.util.ArrayList;
import java.util.List;

/**
 * The answer to {@code group join}: lines {@code generation N}, {@code member NAME} for each member in the order of the balancing
 * rule, {@code assign TOPIC PARTITION} for each partition that the asker owns now. What it owned before and is not listed any more
 * it has to finish and give back with {@code group release}; only then does it go to its next owner.
 */
public record GroupAssignment(long generation, List<String> members, List<Partition> assigned) {
    public GroupAssignment {
        members = List.copyOf(members);
        assigned = List.copyOf(assigned);
    }

    public record Partition(String topic, int partition) {}

    public String text() {
        List<String> lines = new ArrayList<>();
        lines.add("generation " + generation);
        members.forEach(member -> lines.add("member " + member));
        assigned.forEach(p -> lines.add("assign " + p.topic + ' ' + p.partition));
        return String.join(Lines.SEPARATOR, lines);
    }

    public static GroupAssignment parse(String text) {
        long generation = 0;
        List<String> members = new ArrayList<>();
        List<Partition> assigned = new ArrayList<>();
        for (String line : Lines.of(text)) {
            String[] words = Lines.words(line, 2);
            switch (words[0]) {
                case "generation" -> generation = Lines.longInteger(words[1], line);
                case "member" -> members.add(words[1]);
                case "assign" -> assigned.add(partition(line));
                default -> {
                    // A newer broker says more.
                }
            }
        }
        return new GroupAssignment(generation, members, assigned);
    }

    private static Partition partition(String line) {
        String[] words = Lines.words(line, 3);
        return new Partition(words[1], Lines.integer(words[2], line));
    }
}
