package io.metaq.log.partition;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a temporary destination: no files, gone with the process. Segments are arrays which begin small, because
 * there may be very many of these logs with one short message each.
 *
 * <p>What is appended is copied at once and readable after {@link #flush()}. Appending threads take turns by the owner's
 * lock.
 */
public final class MemoryLog implements MessageLog {

    private static final int FIRST_SEGMENT_BYTES = 1 << 10;
    private static final int MAX_SEGMENT_BYTES = 1 << 18;

    /** An array that is filled from its beginning; what lies before the log's end never changes. */
    private record Segment(long base, long ordinal, long timestampMs, byte[] bytes) {}

    private static final Segment[] NONE = new Segment[0];

    private final MemoryBudget budget;
    private volatile Segment[] segments = NONE;
    private volatile long startOffset;
    private volatile long endOffset;
    private volatile long appended;
    private long stagedEnd;
    private long staged;
    private volatile long lastAppendMs;

    public MemoryLog(MemoryBudget budget) {
        this.budget = budget;
    }

    /** {@inheritDoc} Counts against the budget but does not ask it: that is for whoever can still refuse. */
    @Override
    public long append(ByteBuffer[] parts, int n, int messages, long timestampMs) {
        int length = 0;
        for (int i = 0; i < n; i++) {
            length += parts[i].remaining();
        }
        Segment segment = segmentFor(length, timestampMs);
        int at = (int) (stagedEnd - segment.base());
        for (int i = 0; i < n; i++) {
            int more = parts[i].remaining();
            parts[i].get(segment.bytes(), at, more);
            at += more;
        }
        long offset = stagedEnd;
        stagedEnd += length;
        staged += messages;
        lastAppendMs = Math.max(lastAppendMs, timestampMs);
        return offset;
    }

    private Segment segmentFor(int length, long timestampMs) {
        Segment[] list = segments;
        int size = FIRST_SEGMENT_BYTES;
        if (list.length > 0) {
            Segment last = list[list.length - 1];
            if (stagedEnd - last.base() + length <= last.bytes().length) {
                return last;
            }
            size = Math.min(MAX_SEGMENT_BYTES, 2 * last.bytes().length);
        }
        size = Math.max(size, length);
        budget.take(size);
        Segment begun = new Segment(stagedEnd, staged, timestampMs, new byte[size]);
        Segment[] longer = Arrays.copyOf(list, list.length + 1);
        longer[list.length] = begun;
        segments = longer;
        return begun;
    }

    @Override
    public synchronized void flush() {
        appended = staged;
        endOffset = stagedEnd;
    }

    @Override
    public synchronized End end() {
        return new End(endOffset, appended);
    }

    @Override
    public long lastAppendMs() {
        return lastAppendMs;
    }

    @Override
    public long startOffset() {
        return startOffset;
    }

    @Override
    public long endOffset() {
        return endOffset;
    }

    @Override
    public long stagedEndOffset() {
        return stagedEnd;
    }

    @Override
    public long messageCount() {
        Segment[] list = segments;
        long now = appended;
        return list.length == 0 ? 0 : Math.max(0, now - list[0].ordinal());
    }

    @Override
    public long appendedMessages() {
        return appended;
    }

    @Override
    public long stagedMessages() {
        return staged;
    }

    @Override
    public long messagesBefore(long offset) {
        long now = appended;
        long end = endOffset;
        if (offset >= end) {
            return now;
        }
        Segment segment = holding(segments, offset);
        if (segment == null) {
            throw new IllegalArgumentException("offset " + offset + " lies before " + startOffset);
        }
        ByteBuffer bytes = ByteBuffer.wrap(segment.bytes());
        long ordinal = segment.ordinal();
        for (int at = 0; segment.base() + at < offset; at += MessageScan.HEADER_BYTES + bytes.getInt(at)) {
            ordinal++;
        }
        return ordinal;
    }

    @Override
    public @Nullable LogSlice slice(long offset, int maxBytes) {
        Segment[] list = segments;
        long end = endOffset;
        Segment segment = holding(list, offset);
        if (segment == null || offset < startOffset || offset >= end) {
            return null;
        }
        int index = Arrays.asList(list).indexOf(segment);
        long segmentEnd = index + 1 < list.length ? Math.min(end, list[index + 1].base()) : end;
        int length = (int) Math.min(maxBytes, segmentEnd - offset);
        return LogSlice.of(segment.bytes(), offset, (int) (offset - segment.base()), length);
    }

    private static @Nullable Segment holding(Segment[] list, long offset) {
        for (int i = list.length - 1; i >= 0; i--) {
            if (list[i].base() <= offset) {
                return list[i];
            }
        }
        return null;
    }

    @Override
    public long segmentStart(long offset) {
        if (offset >= endOffset) {
            return endOffset;
        }
        Segment segment = holding(segments, offset);
        return segment == null ? startOffset : segment.base();
    }

    @Override
    public long offsetForTime(long epochMs) {
        Segment[] list = segments;
        long found = startOffset;
        for (Segment segment : list) {
            if (segment.timestampMs() > epochMs) {
                break;
            }
            found = segment.base();
        }
        return found;
    }

    /** {@inheritDoc} What the arrays took may be used for others at once. */
    @Override
    public long trimBefore(long offset, Disposal disposal) {
        Segment[] list = segments;
        int trimmed = 0;
        long freed = 0;
        while (trimmed < list.length
                && (trimmed + 1 < list.length ? list[trimmed + 1].base() : stagedEnd) <= Math.min(offset, endOffset)) {
            freed += list[trimmed++].bytes().length;
        }
        if (trimmed > 0) {
            startOffset = trimmed < list.length ? list[trimmed].base() : endOffset;
            segments = trimmed < list.length ? Arrays.copyOfRange(list, trimmed, list.length) : NONE;
            budget.give(freed);
        }
        return startOffset;
    }

    /** Lets go of the messages; nothing is to be appended any more. Slices in use stay readable. */
    @Override
    public void close() {
        flush();
        trimBefore(endOffset, Disposal.DELETE);
    }
}
