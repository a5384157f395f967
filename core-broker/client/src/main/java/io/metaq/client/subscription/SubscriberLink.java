package io.metaq.client.subscription;

import io.metaq.protocol.TransactionKey;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One connection to one broker on which consumers are attached to subscriptions. It survives the broker's restarts: what was claimed,
 * attached and made here is claimed, attached and made again by itself, and calls that were under way are repeated where that is safe.
 * With several servers it uses the first that answers, and turns to the next when that is lost.
 *
 * <p>Any thread may call; nothing blocks but {@link #close()}. Futures complete on the network thread, which must not be blocked. They
 * fail with a {@code MetaqException}; its {@code code()} is the broker's.
 */
public interface SubscriberLink extends AutoCloseable {

    /** The first connection is made and logged in. Fails when no broker answers within the request timeout, or the login is refused. */
    CompletableFuture<@Nullable Void> ready();

    /** The id of the broker that is or was last connected, for explicit partitions; -1 before {@link #ready()}. */
    int brokerId();

    /**
     * Claims a client id for this connection; claimed again after a reconnect.
     *
     * @return fails with code 409 when another connection has it
     */
    CompletableFuture<@Nullable Void> claimClientId(String id);

    /**
     * Attaches a consumer; attached again after a reconnect. No message comes before {@link AttachedConsumer#credit} or {@code drain}.
     *
     * @return fails with code 400 for a bad selector, 403 for another connection's temporary destination, 404 for a destination that is
     *     not there, 409 for what the rules of subscriptions forbid
     */
    CompletableFuture<AttachedConsumer> attach(Attachment spec, DeliveryHandler handler);

    /**
     * Makes a destination that lives as long as this link; made again, empty, after a reconnect.
     *
     * @param name begins with {@code temp:}
     * @param queue whether it is a queue, else a topic
     */
    CompletableFuture<@Nullable Void> createTemporary(String name, boolean queue);

    /** Deletes a temporary destination. Fails with code 409 while it has consumers. */
    CompletableFuture<@Nullable Void> deleteTemporary(String name);

    /** Makes the destination if it is not there. Fails with code 409 when it is of the other kind, 404 when it must not be made. */
    CompletableFuture<@Nullable Void> ensureDestination(String name, boolean queue);

    /** Deletes a durable subscription. Fails with code 404 when there is none, 409 while it has consumers. */
    CompletableFuture<@Nullable Void> deleteSubscription(String name);

    /** Sends and acknowledges all or nothing, synced to disk. Repeated after a lost connection, done once. */
    CompletableFuture<@Nullable Void> transact(TransactionParts parts);

    /**
     * Adds to a transaction, and prepares or commits it if asked: one step, synced to disk. Repeated after a lost connection, done
     * once. What is not prepared is rolled back when the connection ends.
     *
     * @return {@link Enlistment#PREPARED} or {@link Enlistment#READ_ONLY} when it was prepared, else 0. Fails with a
     *     {@code TransactionException} for what the rules of transactions forbid, with code 404 or 409 when a destination, a consumer or
     *     a message to acknowledge is gone. The transaction is then as it was before, or rolled back. A failure whose outcome is
     *     unknown says so.
     */
    CompletableFuture<Integer> enlist(Enlistment step);

    /**
     * Takes a transaction further. Repeated after a lost connection; when the repetition finds no transaction any more, the first attempt
     * has done it, unless that is {@link TransactionStep#COMMIT_ONE_PHASE}: the broker may have rolled it back just as well, and the
     * outcome is unknown.
     *
     * @return as for {@link #enlist}
     */
    CompletableFuture<Integer> transaction(TransactionKey key, TransactionStep step);

    /**
     * The branches that are prepared, or were decided by an operator and not forgotten yet, whoever prepared them.
     *
     * @param uniqueQualifier of their keys; null for all
     */
    CompletableFuture<List<TransactionKey.Xa>> recover(@Nullable String uniqueQualifier);

    /**
     * Makes one of these calls and waits for it. A single caller does the network's work meanwhile, which saves waking its thread and
     * being woken by it; on a network thread it does not wait.
     *
     * @param call makes it, on the calling thread at once
     * @return its future, done unless the time is over or the thread was interrupted, which it stays
     */
    <T> CompletableFuture<T> settled(Supplier<CompletableFuture<T>> call, Duration patience);

    /** Most bytes that the broker takes of a transaction in one step, with what is written around the messages. */
    int maxTransactionBytes();

    /** Names what keeps the transactions: the same for every connection to the same broker's data. Empty before {@link #ready()}. */
    String resourceManagerId();

    /** Ends the connection and all it had, within two seconds whatever the broker does. Idempotent. */
    @Override
    void close();
}
