package io.metaq.state.subscription;

import io.metaq.log.partition.MessageLog;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * How far a subscription is in one partition: a floor, before which everything is acknowledged, and above it the ranges
 * that are; the messages that came back; how far messages may have been delivered.
 *
 * <p>Read by any thread. That of a journalled subscription is changed on the journal's writer thread only, that of a
 * transient one by its owner through the methods at the end.
 */
public final class Cursor {
    private final MessageLog log;
    private final boolean journalled;
    private final OffsetRanges acknowledged = new OffsetRanges();

    /** What transactions that have not ended acknowledge: neither pending nor acknowledged. */
    private final LockedRanges locked = new LockedRanges();

    private final ReturnedMessages returned = new ReturnedMessages();
    private long floor;

    /** Messages before the readable end that are not pending: before the floor or acknowledged above it. */
    private long gone;

    private long deliveredMark;
    private long recoveredMark;

    /** Told of each returned message. */
    @FunctionalInterface
    public interface ReturnedVisitor {
        /**
         * @param count how often it came back
         * @param notBeforeMs when it may be delivered again, milliseconds since 1970; 0 = at once
         */
        void returned(long offset, int count, long notBeforeMs);
    }

    Cursor(MessageLog log, boolean journalled) {
        this.log = log;
        this.journalled = journalled;
    }

    /** Everything before this offset is acknowledged. */
    public synchronized long floor() {
        return floor;
    }

    /**
     * The first offset at or after {@code from} that is neither acknowledged nor locked and still in the log; the log's end,
     * or a place behind it, when nothing is pending.
     */
    public long nextPending(long from) {
        long at = Math.max(from, log.startOffset());
        synchronized (this) {
            at = Math.max(at, floor);
            for (long end = takenUntil(at); end != OffsetRanges.NONE; end = takenUntil(at)) {
                at = end;
            }
            return at;
        }
    }

    /** End of the acknowledged or locked range that holds an offset at or above the floor. */
    private long takenUntil(long at) {
        long end = acknowledged.endAt(at);
        return end != OffsetRanges.NONE || locked.isEmpty() ? end : locked.endAt(at);
    }

    /**
     * Where the pending messages from {@code from} on end: the first offset at or after it that is acknowledged or locked,
     * {@link Long#MAX_VALUE} when none is.
     */
    public synchronized long nextTaken(long from) {
        if (from < floor || takenUntil(from) != OffsetRanges.NONE) {
            return from;
        }
        long next = acknowledged.startAtOrAfter(from);
        return locked.isEmpty() ? next : Math.min(next, locked.startAtOrAfter(from));
    }

    public synchronized boolean isAcknowledged(long offset) {
        return offset < floor || acknowledged.endAt(offset) != OffsetRanges.NONE;
    }

    /** Whether a transaction that has not ended acknowledges the message. */
    public synchronized boolean isLocked(long offset) {
        return !locked.isEmpty() && locked.endAt(offset) != OffsetRanges.NONE;
    }

    /** Whether the message is acknowledged or locked: to be delivered to nobody. */
    public synchronized boolean isTaken(long offset) {
        return isAcknowledged(offset) || isLocked(offset);
    }

    /** Number of ranges that transactions have locked. */
    public synchronized int lockCount() {
        return locked.size();
    }

    /** Whether nothing of this range is acknowledged or locked. */
    public synchronized boolean isPending(long from, long to) {
        return nextTaken(from) >= to;
    }

    /** How often the message at this offset came back; 0 = never. */
    public synchronized int deliveries(long offset) {
        return returned.count(offset);
    }

    /** When the message may be delivered again, milliseconds since 1970; 0 = at once. */
    public synchronized long notBefore(long offset) {
        return returned.notBefore(offset);
    }

    /** The first message at or after this offset that came back; {@link Long#MAX_VALUE} when there is none. */
    public synchronized long nextReturned(long from) {
        return returned.next(from);
    }

    /** Number of messages that came back and are pending. */
    public synchronized int returnedCount() {
        return returned.size();
    }

    /** The messages that came back, in the order of their offsets; holds the cursor's lock meanwhile. */
    public synchronized void forEachReturned(ReturnedVisitor visitor) {
        returned.forEach(visitor);
    }

    /** No message at or behind this offset has ever been delivered, as far as the journal says. */
    public synchronized long deliveredMark() {
        return deliveredMark;
    }

    /**
     * The {@link #deliveredMark} of the broker's life before this one: a pending message before it may have been
     * delivered then, and is delivered as redelivered.
     */
    public synchronized long recoveredMark() {
        return recoveredMark;
    }

    /** Number of acknowledged ranges above the floor. */
    public synchronized long rangeCount() {
        return acknowledged.size();
    }

    /** Messages that are not acknowledged; never negative. */
    public long depth() {
        try {
            long pending;
            boolean trimmed;
            synchronized (this) {
                pending = log.appendedMessages() - gone;
                trimmed = floor < log.startOffset();
            }
            // Retention may have taken messages that a transient subscription never had.
            return Math.max(0, trimmed ? Math.min(pending, log.messageCount()) : pending);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Acknowledges on a transient subscription; what is acknowledged already stays so and is not counted again.
     *
     * @param messages number of messages in the range
     * @return how many of them were pending
     */
    public long acknowledge(long from, long to, int messages) {
        requireTransient();
        return acknowledged(from, to, messages, log.endOffset());
    }

    /** Marks a message of a transient subscription as returned once more. */
    public void returned(long offset, long notBeforeMs) {
        requireTransient();
        cameBack(offset, notBeforeMs);
    }

    /** Moves a transient subscription: what was acknowledged or returned is forgotten. */
    public void moveTo(long offset, long messagesBefore) {
        requireTransient();
        reset(offset, messagesBefore);
    }

    private void requireTransient() {
        if (journalled) {
            throw new IllegalStateException("a journalled subscription is changed by records only");
        }
    }

    /**
     * What is locked stays as it is.
     *
     * @param end of the log: what lies behind it is left out
     */
    synchronized long acknowledged(long from, long to, int messages, long end) {
        long counted = 0;
        long at = from;
        while (!locked.isEmpty() && at < to) {
            long lockedUntil = locked.endAt(at);
            if (lockedUntil == OffsetRanges.NONE) {
                long stop = Math.min(to, locked.startAtOrAfter(at));
                if (at == from && stop == to) {
                    break; // as nearly always
                }
                int share = (int) Math.round((double) messages * (stop - at) / (to - from));
                counted += acknowledgedUnlocked(at, stop, share, end);
                at = stop;
            } else {
                at = lockedUntil;
            }
        }
        return at < to ? counted + acknowledgedUnlocked(at, to, messages, end) : counted;
    }

    private long acknowledgedUnlocked(long from, long to, int messages, long end) {
        long start = Math.max(from, floor);
        long stop = Math.min(to, end);
        if (start >= stop) {
            return 0;
        }
        long added;
        if (start == floor && acknowledged.isEmpty()) {
            added = stop - start; // in order, as most do
            floor = stop;
        } else {
            added = acknowledged.add(start, stop);
            raiseFloor();
        }
        returned.remove(start, stop);
        // Where a part of the range was acknowledged by another record the rest is counted by its share of the bytes.
        long counted = added == to - from ? messages : Math.round((double) messages * added / (to - from));
        gone += counted;
        return counted;
    }

    private void raiseFloor() {
        long end = acknowledged.endAt(floor);
        if (end == OffsetRanges.NONE) {
            return;
        }
        for (; end != OffsetRanges.NONE; end = acknowledged.endAt(floor)) {
            floor = end;
        }
        acknowledged.removeBefore(floor);
    }

    /** Where nothing is pending the count is known for certain; heals what shares of ranges were rounded. Writer. */
    synchronized void recount() throws IOException {
        if (acknowledged.isEmpty() && floor >= log.stagedEndOffset()) {
            gone = log.stagedMessages();
        }
    }

    synchronized void lock(long from, long to) {
        locked.add(from, to);
    }

    synchronized void unlock(long from, long to) {
        locked.remove(from, to);
    }

    synchronized void cameBack(long offset, long notBeforeMs) {
        if (!isAcknowledged(offset)) {
            returned.put(offset, returned.count(offset) + 1, notBeforeMs);
        }
    }

    synchronized void mark(long offset) {
        deliveredMark = offset;
    }

    /** The mark runs ahead of the deliveries, also ahead of the log: what is appended from now on was not delivered then. */
    synchronized void recovered() {
        recoveredMark = Math.min(deliveredMark, log.endOffset());
    }

    synchronized void reset(long offset, long messagesBefore) {
        acknowledged.clear();
        returned.clear();
        floor = offset;
        gone = messagesBefore;
        deliveredMark = offset;
        recoveredMark = offset;
    }

    synchronized long goneMessages() {
        return gone;
    }

    synchronized void forEachAcknowledged(OffsetRanges.Visitor visitor) {
        acknowledged.forEach(visitor);
    }

    synchronized void restoreAcknowledged(long from, long to) {
        acknowledged.add(from, to);
    }

    synchronized void restoreReturned(long offset, int count, long notBeforeMs) {
        returned.put(offset, count, notBeforeMs);
    }

    /** Where the readable messages of the log end. */
    public long end() {
        return log.endOffset();
    }

    MessageLog log() {
        return log;
    }
}
