package io.metaq.state.transaction;

import io.metaq.state.record.TransactionStep;
import io.metaq.state.transaction.Transaction.Phase;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * The transactions that have not ended, by number and by key. Read by any thread; changed by records, on the journal's writer
 * thread.
 */
public final class TransactionTable {
    private final Map<Long, Transaction> byId = new ConcurrentSkipListMap<>();
    private final Map<String, Transaction> byKey = new ConcurrentHashMap<>();
    private final RolledBacks rolledBack = new RolledBacks();
    private long nextId = 1;

    TransactionTable() {}

    /** The transaction of this key that has not ended. */
    public @Nullable Transaction find(String key) {
        return byKey.get(key);
    }

    /** The transaction of this number, if it has not ended. */
    public @Nullable Transaction find(long id) {
        return byId.get(id);
    }

    /** What is remembered of a transaction of this key that ended without having been asked to; at most some thousand are. */
    public @Nullable RolledBack rolledBack(String key) {
        return rolledBack.find(key);
    }

    /** All that have not ended, in the order in which they were begun; a live view. */
    public Collection<Transaction> all() {
        return Collections.unmodifiableCollection(byId.values());
    }

    /** Those that a coordinator may have to recover: prepared ones, and those that an operator has ended. */
    public List<Transaction> prepared() {
        return select(transaction -> transaction.phase() != Phase.ACTIVE);
    }

    /** Those that are not prepared. */
    public List<Transaction> active() {
        return select(transaction -> transaction.phase() == Phase.ACTIVE);
    }

    /** Those whose time is over, to be proposed as {@link TransactionStep.Kind#TIME_OUT}. */
    public List<Transaction> expired(long nowMs) {
        return select(transaction -> transaction.deadlineMs() <= nowMs);
    }

    private interface Choice {
        boolean takes(Transaction transaction);
    }

    private List<Transaction> select(Choice choice) {
        List<Transaction> selected = new ArrayList<>();
        for (Transaction transaction : byId.values()) {
            if (choice.takes(transaction)) {
                selected.add(transaction);
            }
        }
        return selected;
    }

    /**
     * From where on waiting messages need chunks of a companion topic's partition; {@link Long#MAX_VALUE} when none does. Any
     * thread.
     */
    public long chunkFloor(String companion, int partition) {
        long lowest = Long.MAX_VALUE;
        for (Transaction transaction : byId.values()) {
            lowest = Math.min(lowest, transaction.messages().chunks().floor(companion, partition));
        }
        return lowest;
    }

    /** Messages of prepared transactions for this topic must find it when they are committed. Any thread. */
    public @Nullable Transaction preparedFor(int topicId) {
        return first(transaction -> transaction.holdsPartOf(topicId) && transaction.phase() == Phase.PREPARED);
    }

    /** The same for what they acknowledge. Any thread. */
    public @Nullable Transaction preparedOn(int subscriptionId) {
        return first(transaction -> transaction.holdsLocksOf(subscriptionId) && transaction.phase() == Phase.PREPARED);
    }

    private @Nullable Transaction first(Choice choice) {
        for (Transaction transaction : byId.values()) {
            if (choice.takes(transaction)) {
                return transaction;
            }
        }
        return null;
    }

    /** A topic has gone: what holds messages for it can only be rolled back. */
    void topicGone(int topicId) {
        for (Transaction each : select(transaction -> transaction.holdsPartOf(topicId))) {
            each.doom("a topic that messages were meant for was deleted");
        }
    }

    /** The same for a subscription. */
    void subscriptionGone(int subscriptionId) {
        for (Transaction each : select(transaction -> transaction.holdsLocksOf(subscriptionId))) {
            each.doom("a subscription on which messages were acknowledged was deleted");
        }
    }

    RolledBacks rolledBacks() {
        return rolledBack;
    }

    long takeId() {
        return nextId++;
    }

    void add(Transaction transaction) {
        byId.put(transaction.id(), transaction);
        byKey.put(transaction.key(), transaction);
    }

    void remove(Transaction transaction) {
        transaction.phase(Phase.ENDED);
        byId.remove(transaction.id());
        byKey.remove(transaction.key());
    }

    long nextId() {
        return nextId;
    }

    void nextId(long next) {
        nextId = next;
    }
}
