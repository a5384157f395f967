package io.metaq.log.partition;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The segments of a partition log in order of their offsets; immutable, so that readers need no lock. */
final class SegmentList {

    static final SegmentList EMPTY = new SegmentList(new PartitionSegment[0]);

    private final PartitionSegment[] segments;

    private SegmentList(PartitionSegment[] segments) {
        this.segments = segments;
    }

    int size() {
        return segments.length;
    }

    PartitionSegment get(int index) {
        return segments[index];
    }

    @Nullable
    PartitionSegment last() {
        return segments.length == 0 ? null : segments[segments.length - 1];
    }

    SegmentList with(PartitionSegment added) {
        PartitionSegment[] copy = Arrays.copyOf(segments, segments.length + 1);
        copy[segments.length] = added;
        return new SegmentList(copy);
    }

    SegmentList slice(int from, int to) {
        return from == to ? EMPTY : new SegmentList(Arrays.copyOfRange(segments, from, to));
    }

    /** Index of the segment that holds this offset, -1 when it lies before the first. */
    int holding(long offset) {
        int low = 0;
        int high = segments.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (segments[middle].base() <= offset) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high;
    }

    /** Offset at which a segment ends: where the next one begins, {@code logEnd} for the last. */
    long endOf(int index, long logEnd) {
        return index + 1 < segments.length ? Math.min(segments[index + 1].base(), logEnd) : logEnd;
    }
}
