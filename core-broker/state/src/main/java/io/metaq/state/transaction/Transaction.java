package io.metaq.state.transaction;

import io.metaq.state.record.EnlistedRecord;
import io.metaq.state.subscription.MessageRanges;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A transaction that has not ended. Read by any thread. */
public final class Transaction {
    private final long id;
    private final String key;
    private final String owner;
    private final long startedMs;
    private final long timeoutMs;
    private final HeldMessages messages;
    private final Map<Integer, MessageRanges> locks = new LinkedHashMap<>();
    private final Map<Target, HeldTotals> totals = new LinkedHashMap<>();
    private volatile Phase phase = Phase.ACTIVE;
    private volatile long preparedMs;
    private volatile @Nullable String doom;

    /** How far it is. */
    public enum Phase {
        /** Not prepared: ends with its connection, its time or the broker's life. */
        ACTIVE,
        /** Held until its coordinator, or an operator, decides. */
        PREPARED,
        /** An operator has committed it; its coordinator does not know yet. */
        HEURISTICALLY_COMMITTED,
        /** An operator has rolled it back; its coordinator does not know yet. */
        HEURISTICALLY_ROLLED_BACK,
        /** Over; it is in the table no more. */
        ENDED
    }

    /** Messages that wait for a partition. */
    public record Waiting(int topicId, int partition, long messages, long bytes) {}

    /** Messages that a subscription has given out for good if this commits. */
    public record Locked(int subscriptionId, long messages) {}

    private record Target(int topicId, int partition) {}

    private record HeldTotals(long messages, long bytes) {}

    Transaction(long id, EnlistedRecord begun, HeldMessages messages) {
        this(id, begun.key(), begun.owner(), begun.parts().timestampMs(), begun.timeoutMs(), messages);
    }

    Transaction(long id, String key, String owner, long startedMs, long timeoutMs, HeldMessages messages) {
        this.id = id;
        this.key = key;
        this.owner = owner;
        this.startedMs = startedMs;
        this.timeoutMs = timeoutMs;
        this.messages = messages;
    }

    /** Never used again, not even for one of the same key. */
    public long id() {
        return id;
    }

    /** How its coordinator calls it. */
    public String key() {
        return key;
    }

    /** Whose it is, for people. */
    public String owner() {
        return owner;
    }

    public Phase phase() {
        return phase;
    }

    /** When it was begun, milliseconds since the epoch. */
    public long startedMs() {
        return startedMs;
    }

    /** When it was prepared, milliseconds since the epoch; 0 if it is not. */
    public long preparedMs() {
        return preparedMs;
    }

    /** How long it may stay unprepared; 0 = for ever. */
    public long timeoutMs() {
        return timeoutMs;
    }

    /** When it is to be rolled back unless it was prepared; {@link Long#MAX_VALUE} = never. */
    public long deadlineMs() {
        return phase != Phase.ACTIVE || timeoutMs <= 0 ? Long.MAX_VALUE : startedMs + timeoutMs;
    }

    /** Why it can only be rolled back, since something it holds a part of is gone; null if it is not so. */
    public @Nullable String doom() {
        return doom;
    }

    /** The messages it holds, by partition, in the order in which the first of each came. */
    public synchronized List<Waiting> waiting() {
        List<Waiting> all = new ArrayList<>(totals.size());
        totals.forEach((target, held) ->
                all.add(new Waiting(target.topicId(), target.partition(), held.messages(), held.bytes())));
        return all;
    }

    /** The acknowledgements it holds, by subscription. */
    public synchronized List<Locked> locked() {
        List<Locked> all = new ArrayList<>(locks.size());
        locks.forEach((id, ranges) -> all.add(new Locked(id, ranges.totalMessages())));
        return all;
    }

    /** Whether it holds neither messages nor acknowledgements. */
    public synchronized boolean isEmpty() {
        return totals.isEmpty() && locks.isEmpty();
    }

    HeldMessages messages() {
        return messages;
    }

    /** What is locked, by subscription; to be changed by the writer thread under this object's lock. */
    Map<Integer, MessageRanges> locks() {
        return locks;
    }

    synchronized void holds(int topicId, int partition, int count, int bytes) {
        totals.merge(
                new Target(topicId, partition),
                new HeldTotals(count, bytes),
                (a, b) -> new HeldTotals(a.messages() + b.messages(), a.bytes() + b.bytes()));
    }

    synchronized void locks(int subscriptionId, MessageRanges ranges) {
        MessageRanges all = locks.computeIfAbsent(subscriptionId, s -> new MessageRanges(ranges.size()));
        for (int i = 0; i < ranges.size(); i++) {
            all.add(ranges.partition(i), ranges.from(i), ranges.to(i), ranges.messages(i));
        }
    }

    synchronized boolean holdsPartOf(int topicId) {
        return totals.keySet().stream().anyMatch(target -> target.topicId() == topicId);
    }

    synchronized boolean holdsLocksOf(int subscriptionId) {
        return locks.containsKey(subscriptionId);
    }

    void prepared(long nowMs) {
        preparedMs = nowMs;
        phase = Phase.PREPARED;
    }

    void phase(Phase now) {
        phase = now;
    }

    void doom(String why) {
        doom = why;
    }

    /** It holds nothing any more. */
    synchronized void letGo() {
        locks.clear();
        totals.clear();
    }
}
