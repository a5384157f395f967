package io.metaq.broker.command;

import io.metaq.state.Group;
import io.metaq.state.Partition;
import io.metaq.state.PartitionName;
import io.metaq.state.Topic;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Where a group is to be moved: {@code first}, {@code last}, an offset, {@code time:MS} for the first message stored at or
 * after a time, {@code history:MS} for where the group itself was then.
 */
record OffsetReset(Topic topic, int partition, String to) {
    static final int ALL = -1;

    private static final String TIME = "time:";
    private static final String HISTORY = "history:";

    /** The new offset of each partition concerned. */
    Map<Integer, Long> offsets(@Nullable Group group) throws IOException {
        Map<Integer, Long> offsets = new TreeMap<>();
        Group.Moment moment = to.startsWith(HISTORY) ? moment(group) : null;
        for (Partition candidate : chosen()) {
            @Nullable Long offset = moment == null ? Long.valueOf(place(candidate)) : past(moment, candidate.name());
            if (offset != null) {
                offsets.put(candidate.name().partition(), offset);
            }
        }
        if (offsets.isEmpty()) {
            throw new IllegalArgumentException("the history holds no position in topic " + topic.name());
        }
        return offsets;
    }

    private List<Partition> chosen() {
        if (partition == ALL) {
            return List.of(topic.partitions());
        }
        Partition one = topic.partition(partition);
        if (one == null) {
            throw new IllegalArgumentException(
                    "topic " + topic.name() + " has partitions 0 to " + (topic.partitionCount() - 1));
        }
        return List.of(one);
    }

    private long place(Partition candidate) throws IOException {
        if (to.equals("first")) {
            return candidate.log().startOffset();
        } else if (to.equals("last")) {
            return candidate.log().endOffset();
        } else if (to.startsWith(TIME)) {
            return candidate.log().offsetForTime(OptionReader.number("to", to.substring(TIME.length())));
        }
        long offset = OptionReader.number("to", to);
        if (offset < candidate.log().startOffset() || offset > candidate.log().endOffset()) {
            throw new IllegalArgumentException("partition " + candidate.name() + " holds offsets "
                    + candidate.log().startOffset() + " to " + candidate.log().endOffset() + ", not " + offset);
        }
        return offset;
    }

    /** The last positions remembered at or before the time asked for. */
    private Group.Moment moment(@Nullable Group group) {
        long timeMs = OptionReader.number("to", to.substring(HISTORY.length()));
        Group.Moment found = null;
        for (Group.Moment moment : group == null ? List.<Group.Moment>of() : group.history()) {
            if (moment.timestampMs() <= timeMs) {
                found = moment;
            }
        }
        if (found == null) {
            throw new IllegalArgumentException("the history holds nothing from before " + timeMs);
        }
        return found;
    }

    private static @Nullable Long past(Group.Moment moment, PartitionName name) {
        Group.Position position = moment.positions().get(name);
        return position == null ? null : position.offset();
    }
}
