package io.metaq.state;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * A consumer group's positions and their history. The history keeps the positions as they were at the first change of
 * each hour, so that a reset that was a mistake can be taken back.
 */
public final class Group {
    static final long HISTORY_INTERVAL_MS = 3_600_000L;
    static final int HISTORY_ENTRIES = 168;

    /**
     * A position: everything before it is consumed.
     *
     * @param offset byte offset in the partition
     * @param messageId id of the last consumed message, -1 if unknown
     * @param timestampMs when it was committed
     */
    public record Position(long offset, long messageId, long timestampMs) {}

    /** All positions of a group as they were at a time. */
    public record Moment(long timestampMs, Map<PartitionName, Position> positions) {}

    private final String name;
    private final Map<PartitionName, Position> positions = new ConcurrentSkipListMap<>();
    private final Deque<Moment> history = new ArrayDeque<>();

    Group(String name) {
        this.name = name;
    }

    public String name() {
        return name;
    }

    /** The group's positions, by topic and partition; a live view. */
    public Map<PartitionName, Position> positions() {
        return positions;
    }

    public @Nullable Position position(PartitionName partition) {
        return positions.get(partition);
    }

    /** Past positions, oldest first. */
    public List<Moment> history() {
        synchronized (history) {
            return List.copyOf(history);
        }
    }

    void commit(PartitionName partition, Position position) {
        remember(position.timestampMs(), false);
        positions.put(partition, position);
    }

    void reset(Map<PartitionName, Position> moved, long timestampMs) {
        // A reset is what one may want to take back: what it overwrites is always kept.
        remember(timestampMs, true);
        positions.putAll(moved);
    }

    void forgetTopic(String topic) {
        positions.keySet().removeIf(partition -> partition.topic().equals(topic));
    }

    private void remember(long nowMs, boolean always) {
        synchronized (history) {
            Moment last = history.peekLast();
            boolean due = last == null || nowMs - last.timestampMs() >= HISTORY_INTERVAL_MS;
            if (positions.isEmpty() || !(always || due)) {
                return;
            }
            history.addLast(new Moment(nowMs, new TreeMap<>(positions)));
            if (history.size() > HISTORY_ENTRIES) {
                history.removeFirst();
            }
        }
    }

    void restore(Moment moment) {
        synchronized (history) {
            history.addLast(moment);
        }
    }
}
