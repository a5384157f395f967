package io.metaq.state.dispatch;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Messages, contiguous in the log, that are about to be delivered to one consumer together. Used again and again. */
final class Run {
    private int[] ends = new int[64];
    private int count;
    private long from;
    private int deliveryCount;
    private int priority;
    private long mostBytes;
    private @Nullable Subscriber target;
    private @Nullable String group;

    boolean isEmpty() {
        return count == 0;
    }

    /** @param mostBytes the run ends when it has so many, but has one message at least */
    void begin(Subscriber to, @Nullable String ofGroup, long at, int delivery, int ofPriority, long most) {
        target = to;
        group = ofGroup;
        from = at;
        deliveryCount = delivery;
        priority = ofPriority;
        mostBytes = Math.min(most, to.room());
        count = 0;
    }

    /** Whether a message of so many bytes, the next in the log, may go along. */
    boolean fits(int size) {
        long bytes = end() - from;
        return count < target().credit && bytes < mostBytes && bytes + size <= Math.max(mostBytes, size);
    }

    /** Whether a message for that consumer may go along at all. */
    boolean isFor(Subscriber consumer, @Nullable String ofGroup) {
        return consumer == target && Objects.equals(group, ofGroup);
    }

    boolean isOf(String ofGroup) {
        return ofGroup.equals(group);
    }

    void add(int size) {
        if (count == ends.length) {
            ends = Arrays.copyOf(ends, count * 2);
        }
        ends[count] = (int) (end() - from) + size;
        count++;
    }

    long from() {
        return from;
    }

    long end() {
        return count == 0 ? from : from + ends[count - 1];
    }

    int count() {
        return count;
    }

    int deliveryCount() {
        return deliveryCount;
    }

    Subscriber target() {
        return Objects.requireNonNull(target);
    }

    @Nullable
    String group() {
        return group;
    }

    /** Makes a lease of what has been gathered, and begins anew. */
    LeaseRun lease(long nowMs) {
        LeaseRun lease =
                new LeaseRun(from, Arrays.copyOf(ends, count), 0, count, deliveryCount, priority, group, nowMs);
        lease.holder = target;
        clear();
        return lease;
    }

    void clear() {
        count = 0;
        target = null;
    }
}
