package io.metaq.client;

import java.util.List;
import java.util.Map;

/**
 * What an operator does with transactions that the brokers keep. A transaction is named by its key: {@code XID:format:global:branch:...}
 * for a branch of a global one, {@code TX:...} for a local one, as {@link #list} has it. Needs brokers that know transactions
 * ({@link UnsupportedByBrokerException} otherwise). Calls go to every broker that has the transaction, and throw if none has it.
 */
public interface TransactionAdmin {

    /** The transactions whose key fits, broker by broker, oldest first. @param glob with {@code *}; {@code *} alone for all */
    List<TransactionSummary> list(String glob);

    /** What the transaction is and what it holds, per broker as lines {@code key value}, then a line for each partition and subscription. */
    Map<BrokerAddress, List<String>> show(String key);

    /**
     * Commits what is prepared, in its coordinator's place. The outcome is kept until the coordinator has asked for it, or until
     * {@link #forget}. If the coordinator decides otherwise, its transaction is torn.
     */
    void commit(String key);

    /** As {@link #commit}, the other way. Also ends a transaction that is not prepared. */
    void rollback(String key);

    /** Forgets what was decided by {@link #commit} or {@link #rollback}, for a coordinator that will not come back. */
    void forget(String key);

    /**
     * A transaction of one broker and what it holds.
     *
     * @param phase {@code active}, {@code prepared}, {@code heuristically-committed} or {@code heuristically-rolled-back}
     * @param ageSeconds since it began
     * @param messages that are sent in it, visible to nobody yet
     * @param bytes of these messages
     * @param acknowledged messages that are received in it, and locked
     * @param owner the connection that began it
     */
    record TransactionSummary(
            String key,
            BrokerAddress server,
            String phase,
            long ageSeconds,
            long messages,
            long bytes,
            long acknowledged,
            String owner) {}
}
