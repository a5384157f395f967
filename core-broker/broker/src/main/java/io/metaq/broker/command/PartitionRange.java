package io.metaq.broker.command;

import io.metaq.state.Topic;
import org.jspecify.annotations.Nullable;

/** The partitions that an administrative command is about: {@code A}, {@code A-B}, or all of the topic. */
record PartitionRange(int first, int last) {
    /** @throws IllegalArgumentException if the text is no range */
    static PartitionRange of(@Nullable String text, @Nullable Topic topic) {
        if (text == null) {
            return new PartitionRange(0, topic == null ? 0 : topic.partitionCount() - 1);
        }
        String[] ends = text.split("-", 2);
        return new PartitionRange((int) OptionReader.number("partition", ends[0]), (int)
                OptionReader.number("partition", ends[ends.length - 1]));
    }
}
