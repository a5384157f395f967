package io.metaq.state.dispatch;

import io.metaq.log.partition.MessageLog;
import io.metaq.state.Partition;
import io.metaq.state.subscription.Cursor;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a dispatch knows of one partition, whoever its consumers are. */
final class Lane {
    private static final int UNKNOWN_PRIORITY = -1;

    final int number;
    final Partition source;
    final Cursor cursor;
    final LogWindow window;
    final DeliveredMark mark;
    final LeaseTable leases = new LeaseTable();

    /** What is pending again, by offset. Never what is out. */
    final TreeMap<Long, CameBack> cameBack = new TreeMap<>();

    final DelayHeap delays = new DelayHeap();

    private final RestingGroups resting = new RestingGroups();

    /** Came back since the last look at it, with the time before which they are not to be delivered. */
    private final TreeMap<Long, Long> unrecorded = new TreeMap<>();

    /** Where the log ends, as of this turn. */
    long end;

    /** When a log that could not be read is to be tried again; 0 if it can. */
    long brokenUntilMs;

    /** Whether the partition tells when its end moves, or when it is closed or opened; once. */
    private volatile boolean listening;

    private final Runnable heard;

    private final long recoveredMark;
    private long indexedUntil;

    /** Whether {@link #cameBack} has messages that were not placed yet. */
    private boolean unplaced;

    /** @param advanced run when there may be something new, on whatever thread */
    Lane(
            int number,
            Partition source,
            Cursor cursor,
            Scratch scratch,
            DeliveredMark mark,
            RedeliveryPolicy policy,
            Runnable advanced) {
        this.number = number;
        this.source = source;
        this.cursor = cursor;
        this.mark = mark;
        this.window = new LogWindow(source.log(), scratch);
        this.recoveredMark = cursor.recoveredMark();
        this.heard = () -> {
            listening = false;
            advanced.run();
        };
        cursor.forEachReturned((offset, count, notBeforeMs) -> {
            if (!cursor.isLocked(offset)) {
                boolean dead = policy.exhausted(count);
                cameBack.put(offset, new CameBack(count + 1, notBeforeMs, UNKNOWN_PRIORITY, dead, CameBack.UNREAD));
                unplaced = true;
            }
        });
        this.indexedUntil = cursor.floor();
    }

    MessageLog log() {
        return source.log();
    }

    /** Sees to it that news is heard. What comes between the last {@link #refresh} and this is heard at once. */
    void listen() {
        if (!listening) {
            // First: the news may come before the partition has taken note.
            listening = true;
            source.onAdvance(end, heard);
        }
    }

    void stopListening() {
        source.forget(heard);
    }

    /**
     * Nothing is out, and what came back is on record. What an earlier life of the broker may have delivered is not, and
     * stays marked until it is acknowledged.
     */
    void settle() {
        mark.settle(Math.max(cursor.floor(), recoveredMark));
    }

    boolean settled() {
        return mark.settled(Math.max(cursor.floor(), recoveredMark));
    }

    boolean open() {
        return source.subscribeOpen();
    }

    /** Takes note of what the log has got since, and of what has become due. */
    void refresh(long nowMs, List<Scan> scans) {
        long now = log().endOffset();
        if (now > end) {
            end = now;
            source.scheduled().forEachFrom(indexedUntil, (offset, priority, deliveryTimeMs) -> {
                if (offset < now) {
                    indexed(offset, priority, deliveryTimeMs, nowMs, scans);
                }
            });
            indexedUntil = now;
            placeUnknown(nowMs, scans);
        }
        while (!delays.isEmpty() && delays.nextDue() <= nowMs) {
            resting.remove(delays.nextOffset());
            for (Scan scan : scans) {
                scan.ready.insert(delays.nextPriority(), delays.nextOffset());
            }
            delays.remove();
        }
    }

    private void indexed(long offset, int priority, long deliveryTimeMs, long nowMs, List<Scan> scans) {
        if (cursor.isTaken(offset)) {
            return;
        }
        long due = deliveryTimeMs;
        CameBack before = cameBack.get(offset);
        if (before != null) {
            cameBack.put(offset, before.withPriority(priority));
            due = Math.max(due, before.notBeforeMs());
        }
        if (due > nowMs) {
            delays.add(due, offset, priority);
            if (before != null) {
                resting.add(offset, before.group());
            }
        } else {
            for (Scan scan : scans) {
                scan.ready.append(priority, offset);
            }
        }
    }

    /** What came back before this lane was made and is not in the index is of ordinary priority. */
    private void placeUnknown(long nowMs, List<Scan> scans) {
        if (!unplaced) {
            return;
        }
        unplaced = false;
        for (Map.Entry<Long, CameBack> entry : cameBack.entrySet()) {
            CameBack known = entry.getValue();
            if (known.priority() == UNKNOWN_PRIORITY) {
                entry.setValue(known.withPriority(ReadySet.DEFAULT_PRIORITY));
                offer(entry.getKey(), entry.getValue(), nowMs, scans);
            }
        }
    }

    /** A message is pending again. */
    void giveBack(long offset, CameBack message, long nowMs, List<Scan> scans) {
        cameBack.put(offset, message);
        offer(offset, message, nowMs, scans);
    }

    private void offer(long offset, CameBack message, long nowMs, List<Scan> scans) {
        if (message.notBeforeMs() > nowMs) {
            delays.add(message.notBeforeMs(), offset, message.priority());
            resting.add(offset, message.group());
        } else {
            for (Scan scan : scans) {
                scan.ready.insert(message.priority(), offset);
            }
        }
    }

    /** Finds out which groups rest, as far as the budget allows; false if that is not known yet. */
    boolean readGroups(Budget budget) throws IOException {
        return resting.read(window, budget);
    }

    /** Until when a message of a group waits for an earlier one that came back and rests; 0 if there is none. */
    long waitsUntilMs(String group, long offset, long nowMs) {
        return resting.untilMs(group, offset, cameBack, nowMs);
    }

    /** Lets a message of a group rest as long as an earlier one; false if none does. */
    boolean waits(String group, long offset, int priority, long nowMs) {
        long untilMs = waitsUntilMs(group, offset, nowMs);
        if (untilMs > 0) {
            delays.add(untilMs, offset, priority);
        }
        return untilMs > 0;
    }

    /** How a class that was not there before looks through the lane. */
    Scan newScan(long nowMs) {
        Scan scan = new Scan(this, cursor.floor());
        fill(scan, nowMs);
        return scan;
    }

    /** Adds all that is due and not in the log's order. */
    void fill(Scan scan, long nowMs) {
        source.scheduled().forEachFrom(scan.at, (offset, priority, deliveryTimeMs) -> {
            if (offset < indexedUntil && deliveryTimeMs <= nowMs && available(offset, nowMs)) {
                scan.ready.insert(priority, offset);
            }
        });
        cameBack.forEach((offset, message) -> {
            if (message.notBeforeMs() <= nowMs && message.priority() != UNKNOWN_PRIORITY) {
                scan.ready.insert(message.priority(), offset);
            }
        });
    }

    /** Whether a message that is looked at out of order may be delivered now. */
    boolean available(long offset, long nowMs) {
        if (leases.covering(offset) != null || cursor.isTaken(offset)) {
            return false;
        }
        CameBack message = cameBack.get(offset);
        return message == null || message.notBeforeMs() <= nowMs;
    }

    /** The first place from {@code at} on where something is neither acknowledged nor locked nor out. */
    long skip(long at) {
        long pending = cursor.nextPending(at);
        if (leases.isEmpty()) {
            return pending;
        }
        for (LeaseRun run = leases.covering(pending); run != null; run = leases.covering(pending)) {
            pending = cursor.nextPending(run.to());
        }
        return pending;
    }

    /** Up to where messages from {@code at} on are pending, not out, and each delivered as often as the others. */
    long alikeUntil(long at) {
        long until = Math.min(end, cursor.nextTaken(at));
        if (!leases.isEmpty()) {
            LeaseRun next = leases.atOrAfter(at);
            until = next == null ? until : Math.min(until, next.from());
        }
        if (!cameBack.isEmpty()) {
            Long next = cameBack.ceilingKey(at);
            until = next == null ? until : Math.min(until, next);
        }
        return at < recoveredMark ? Math.min(until, recoveredMark) : until;
    }

    /** Which delivery the next one of this message will be. */
    int nextDelivery(long offset) {
        CameBack message = cameBack.get(offset);
        return message != null ? message.nextDelivery() : firstDelivery(offset);
    }

    /** The same for a message that did not come back. */
    int firstDelivery(long offset) {
        return offset < recoveredMark ? 2 : 1;
    }

    /** Notes that a delivery counts that came to nothing. */
    void record(long offset, long notBeforeMs) {
        unrecorded.put(offset, notBeforeMs);
    }

    /** Hands on what {@link #record} noted. */
    void recordAll(Effects effects) {
        if (!unrecorded.isEmpty()) {
            long[] offsets = new long[unrecorded.size()];
            long[] notBeforeMs = new long[offsets.length];
            int i = 0;
            for (Map.Entry<Long, Long> entry : unrecorded.entrySet()) {
                offsets[i] = entry.getKey();
                notBeforeMs[i++] = entry.getValue();
            }
            unrecorded.clear();
            effects.returned(number, offsets, notBeforeMs);
        }
    }

    /** The priority that a message was stored with. */
    int indexedPriority(long offset) {
        int[] found = {ReadySet.DEFAULT_PRIORITY};
        source.scheduled().forEachBetween(offset, offset + 1, (at, priority, deliveryTimeMs) -> found[0] = priority);
        return found[0];
    }

    int priority(long offset) {
        CameBack message = cameBack.get(offset);
        return message == null ? indexedPriority(offset) : message.priority();
    }
}
