package io.metaq.state.dispatch;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Messages, contiguous in the log, that were handed out together and are not done with: leased to their holder, or, with
 * no holder, on their way out.
 */
final class LeaseRun {
    private final long base;
    /** Where each message ends, from {@link #base}; shared by the parts of a run. */
    private final int[] ends;

    private final int first;
    private final int last;
    final int deliveryCount;
    final int priority;
    final @Nullable String group;
    final long sinceMs;

    /** Null while it is being acknowledged or moved. */
    @Nullable
    Subscriber holder;

    LeaseRun(
            long base,
            int[] ends,
            int first,
            int last,
            int deliveryCount,
            int priority,
            @Nullable String group,
            long sinceMs) {
        this.base = base;
        this.ends = ends;
        this.first = first;
        this.last = last;
        this.deliveryCount = deliveryCount;
        this.priority = priority;
        this.group = group;
        this.sinceMs = sinceMs;
    }

    LeaseRun part(int from, int to) {
        LeaseRun part = new LeaseRun(base, ends, first + from, first + to, deliveryCount, priority, group, sinceMs);
        part.holder = holder;
        return part;
    }

    int count() {
        return last - first;
    }

    long from() {
        return start(0);
    }

    long to() {
        return base + ends[last - 1];
    }

    /** Offset of a message of the run. */
    long start(int index) {
        return first + index == 0 ? base : base + ends[first + index - 1];
    }

    long end(int index) {
        return base + ends[first + index];
    }

    /** Index of the first message that begins at or after {@code offset}; {@link #count()} if there is none. */
    int firstFrom(long offset) {
        if (offset <= from()) {
            return 0;
        }
        int found = Arrays.binarySearch(ends, first, last, (int) Math.min(Integer.MAX_VALUE, offset - base));
        return (found >= 0 ? found + 1 : -found) - first;
    }

    /** How many messages of the run end at or before {@code offset}. */
    int countUntil(long offset) {
        if (offset >= to()) {
            return count();
        }
        if (offset <= base) {
            return 0;
        }
        int found = Arrays.binarySearch(ends, first, last, (int) (offset - base));
        return (found >= 0 ? found + 1 : -found - 1) - first;
    }
}
