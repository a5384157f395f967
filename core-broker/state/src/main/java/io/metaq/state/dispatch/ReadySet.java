package io.metaq.state.dispatch;

import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Offsets of messages that one class of consumers still has to look at out of the log's order, by priority. It may hold
 * some that have gone meanwhile: whoever takes one asks the lane.
 */
final class ReadySet {
    static final int PRIORITIES = 10;
    static final int DEFAULT_PRIORITY = 4;
    static final long NONE = Long.MAX_VALUE;

    /** Those that were found in the log's order: compact. */
    private final @Nullable LongQueue[] inOrder = new LongQueue[PRIORITIES];
    /** Those that came back or became due. */
    private final @Nullable TreeSet<Long>[] sorted = newSets();

    private int size;

    @SuppressWarnings("unchecked")
    private static @Nullable TreeSet<Long>[] newSets() {
        return new TreeSet[PRIORITIES];
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** Adds one that lies behind all that were appended before. */
    void append(int priority, long offset) {
        LongQueue queue = inOrder[priority];
        if (queue == null) {
            queue = new LongQueue();
            inOrder[priority] = queue;
        }
        queue.add(offset);
        size++;
    }

    void insert(int priority, long offset) {
        TreeSet<Long> set = sorted[priority];
        if (set == null) {
            set = new TreeSet<>();
            sorted[priority] = set;
        }
        if (set.add(offset)) {
            size++;
        }
    }

    /** The first of a priority, or {@link #NONE}. */
    long peek(int priority) {
        LongQueue queue = inOrder[priority];
        TreeSet<Long> set = sorted[priority];
        long first = queue == null || queue.isEmpty() ? NONE : queue.peek();
        return set == null || set.isEmpty() ? first : Math.min(first, set.first());
    }

    /** Takes out what {@link #peek} showed. */
    void poll(int priority) {
        LongQueue queue = inOrder[priority];
        TreeSet<Long> set = sorted[priority];
        long first = queue == null || queue.isEmpty() ? NONE : queue.peek();
        if (set != null && !set.isEmpty() && set.first() <= first) {
            set.pollFirst();
        } else if (queue != null) {
            queue.poll();
        }
        size--;
    }
}
