package io.metaq.state.subscription;

import java.util.Map;
import java.util.TreeMap;

/**
 * Ranges of messages that unfinished transactions acknowledge. There are few, and each is taken out as it was put in, or as a
 * part of a longer one. Not thread safe.
 */
final class LockedRanges {
    private final TreeMap<Long, Long> ends = new TreeMap<>();

    boolean isEmpty() {
        return ends.isEmpty();
    }

    int size() {
        return ends.size();
    }

    /** End of the range that holds the offset, {@link OffsetRanges#NONE} when none does. */
    long endAt(long offset) {
        Map.Entry<Long, Long> entry = ends.floorEntry(offset);
        return entry == null || entry.getValue() <= offset ? OffsetRanges.NONE : entry.getValue();
    }

    /** Where the first range begins that does not begin before the offset; {@link Long#MAX_VALUE} when there is none. */
    long startAtOrAfter(long offset) {
        Long start = ends.ceilingKey(offset);
        return start == null ? Long.MAX_VALUE : start;
    }

    /** Adds what is not locked yet. */
    void add(long from, long to) {
        long at = from;
        while (at < to) {
            long locked = endAt(at);
            if (locked != OffsetRanges.NONE) {
                at = locked;
            } else {
                long gapEnd = Math.min(to, startAtOrAfter(at));
                ends.put(at, gapEnd);
                at = gapEnd;
            }
        }
    }

    /** Takes out the ranges from {@code from} on and before {@code to}. */
    void remove(long from, long to) {
        ends.subMap(from, to).clear();
    }
}
