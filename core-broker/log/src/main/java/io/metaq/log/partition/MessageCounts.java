package io.metaq.log.partition;

import io.metaq.log.partition.TimeIndex.Entry;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Counts the messages of a partition log. The time index of each segment knows how many came before it, so the number of
 * those that are left is a difference; only where an index was lost messages are counted one by one.
 */
final class MessageCounts {

    private static final long UNKNOWN = -1;

    private final PartitionLog log;

    /** Messages ever appended, staged ones included; the writer's. */
    private long staged = UNKNOWN;

    /** Messages ever appended and readable. */
    private volatile long appended = UNKNOWN;

    /** Messages appended before the first that is left. */
    private volatile long trimmed = UNKNOWN;

    MessageCounts(PartitionLog log) {
        this.log = log;
    }

    void restore(long appendedMessages) {
        staged = appendedMessages;
        appended = appendedMessages;
        trimmed = UNKNOWN;
    }

    void stage(int messages) throws IOException {
        staged = staged() + messages;
    }

    long staged() throws IOException {
        if (staged == UNKNOWN) {
            staged = appended();
        }
        return staged;
    }

    void publish() {
        appended = staged;
    }

    void trimTo(int index, SegmentList list) throws IOException {
        trimmed = index < list.size() ? firstOrdinal(index, list) : appended();
    }

    long readable() throws IOException {
        SegmentList list = log.segments();
        if (list.size() == 0 || log.startOffset() == log.endOffset()) {
            return 0;
        }
        if (trimmed == UNKNOWN) {
            trimmed = firstOrdinal(0, list);
        }
        return appended() - trimmed;
    }

    long appended() throws IOException {
        long known = appended;
        return known == UNKNOWN ? countAppended() : known;
    }

    private synchronized long countAppended() throws IOException {
        if (appended == UNKNOWN) {
            SegmentList list = log.segments();
            int last = list.size() - 1;
            appended = last < 0 ? 0 : firstOrdinal(last, list) + count(last, list);
        }
        return appended;
    }

    /** Messages ever appended before an offset that is readable, or the end. */
    long before(long offset) throws IOException {
        SegmentList list = log.segments();
        if (offset >= log.endOffset()) {
            return appended();
        }
        int index = Math.max(0, list.holding(offset));
        completeIndex(index, list);
        PartitionSegment segment = list.get(index);
        Entry nearest = segment.index().atOrBefore(offset);
        long from = nearest == null ? segment.base() : nearest.offset();
        long ordinal = nearest == null ? firstOrdinal(index, list) : nearest.ordinal();
        Path path = segment.file().path;
        return ordinal + MessageScan.count(log.storage(), path, from - segment.base(), offset - segment.base());
    }

    private long firstOrdinal(int index, SegmentList list) throws IOException {
        if (list.get(index).base() == 0) {
            return 0;
        }
        completeIndex(index, list);
        Entry first = list.get(index).index().first();
        return first == null ? 0 : first.ordinal();
    }

    /** Puts an entry in the place of those that the index of a segment has lost. */
    synchronized void completeIndex(int index, SegmentList list) throws IOException {
        PartitionSegment segment = list.get(index);
        TimeIndex times = segment.index();
        Path path = segment.file().path;
        if (!times.incomplete(segment.base()) || !log.storage().exists(path)) {
            return;
        }
        long changed = log.storage().lastModifiedMs(path);
        Entry first = times.first();
        Entry last = times.last();
        if (first != null && last != null && first.offset() == segment.base()) {
            times.replaceLost(new Entry(Math.max(changed, last.timeMs()), last.offset(), last.ordinal()));
        } else {
            times.rebuild(new Entry(changed, segment.base(), ordinalWithoutIndex(index, list)));
        }
    }

    private long ordinalWithoutIndex(int index, SegmentList list) throws IOException {
        boolean last = index + 1 == list.size();
        if (list.get(index).base() == 0) {
            return 0;
        }
        if (last && appended == UNKNOWN) {
            return index == 0 ? 0 : firstOrdinal(index - 1, list) + count(index - 1, list);
        }
        long next = last ? appended : firstOrdinal(index + 1, list);
        return next - count(index, list);
    }

    private long count(int index, SegmentList list) throws IOException {
        PartitionSegment segment = list.get(index);
        return MessageScan.count(
                log.storage(), segment.file().path, 0, list.endOf(index, log.endOffset()) - segment.base());
    }
}
