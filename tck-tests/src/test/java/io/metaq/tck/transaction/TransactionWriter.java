package io.metaq.tck.transaction;

import io.metaq.client.MetaqClient;
import io.metaq.client.subscription.Enlistment;
import io.metaq.client.subscription.Enlistment.Then;
import io.metaq.client.subscription.SubscriberLink;
import io.metaq.client.subscription.TransactionParts;
import io.metaq.client.subscription.TransactionStep;
import io.metaq.protocol.TransactionKey;
import io.metaq.tck.harness.Unconcerned;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Makes one transaction after the other over a connection of its own, many of them under way at a time: four of five of them as one step,
 * the others in two phases, in one phase with a name, rolled back, or with a pair of messages elsewhere.
 */
final class TransactionWriter {
    static final String FLOW = "flow";
    static final String PAIRS = "pairs";
    static final int WRITERS = 4;

    /** A message whose transaction is committed. */
    static final byte COMMITTED = 'c';

    /** The same, sent as one step: these come in the order in which they were sent. */
    static final byte IN_ORDER = 'o';

    /** A message whose transaction is rolled back: nobody may ever see it. */
    static final byte ROLLED_BACK = 'r';

    /** The message of the transaction that is left open to the end, and then committed. */
    static final byte LEFT = 'l';

    private static final int UNDER_WAY = 128;
    static final int MOST_UNDER_WAY = WRITERS * UNDER_WAY;
    private static final int KINDS = 20;

    private final SubscriberLink link;
    private final int partition;
    private final int transactions;
    private final AtomicLong ended;
    private final Semaphore room = new Semaphore(UNDER_WAY);
    private volatile @Nullable Throwable failure;
    private int committed;
    private int pairs;

    TransactionWriter(MetaqClient client, int partition, int transactions, AtomicLong ended) {
        this.link = client.subscriber(new Unconcerned());
        this.partition = partition;
        this.transactions = transactions;
        this.ended = ended;
        for (int n = 0; n < transactions; n++) {
            committed += n % KINDS == 3 ? 0 : 1;
            pairs += n % KINDS == 13 ? 1 : 0;
        }
    }

    /** How many of its messages will be there in the end. */
    int committed() {
        return committed;
    }

    /** How many pairs it sends. */
    int pairs() {
        return pairs;
    }

    void start() {
        link.ready().join();
        Thread thread = new Thread(this::run, "writer-" + partition);
        thread.setDaemon(true);
        thread.start();
    }

    /** Waits until all have ended, and closes the connection. */
    void await(long ms) throws InterruptedException {
        boolean all = room.tryAcquire(UNDER_WAY, ms, TimeUnit.MILLISECONDS);
        if (failure != null || !all) {
            throw new AssertionError("writer " + partition + (all ? " failed" : " waits for answers"), failure);
        }
        link.close();
    }

    private void run() {
        try {
            for (int n = 0; n < transactions && failure == null; n++) {
                room.acquire();
                begin(n).whenComplete((done, problem) -> {
                    failure = problem == null ? failure : problem;
                    ended.incrementAndGet();
                    room.release();
                });
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private CompletableFuture<?> begin(int n) {
        TransactionParts parts = new TransactionParts();
        switch (n % KINDS) {
            case 3 -> {
                parts.send(FLOW, partition, 0, body(n, ROLLED_BACK));
                return enlist(n, parts, Then.NOTHING)
                        .thenCompose(begun -> link.transaction(key(n), TransactionStep.ROLLBACK));
            }
            case 7 -> {
                parts.send(FLOW, partition, 0, body(n, COMMITTED));
                return enlist(n, parts, Then.PREPARE)
                        .thenCompose(vote -> link.transaction(key(n), TransactionStep.COMMIT_TWO_PHASE));
            }
            case 11 -> {
                parts.send(FLOW, partition, 0, body(n, COMMITTED));
                return enlist(n, parts, Then.COMMIT);
            }
            case 13 -> {
                byte[] pair = body(n * WRITERS + partition, COMMITTED);
                parts.send(PAIRS, 1, 0, pair).send(FLOW, partition, 0, body(n, IN_ORDER));
                return link.transact(parts.send(PAIRS, 0, 0, pair));
            }
            default -> {
                return link.transact(parts.send(FLOW, partition, 0, body(n, IN_ORDER)));
            }
        }
    }

    private CompletableFuture<Integer> enlist(int n, TransactionParts parts, Then then) {
        return link.enlist(new Enlistment(key(n), parts, then, 0, false));
    }

    private TransactionKey.Xa key(int n) {
        return new TransactionKey.Xa(7, "%08x".formatted(partition), "%08x".formatted(n), "many");
    }

    private static byte[] body(int n, byte kind) {
        return ByteBuffer.allocate(5).putInt(n).put(kind).array();
    }

    /** A message for every partition that readers follow. @param committed whether it will be seen in the end */
    static TransactionParts marks(boolean committed) {
        TransactionParts parts = new TransactionParts();
        for (int p = 0; p < WRITERS; p++) {
            parts.send(FLOW, p, 0, body(0, committed ? LEFT : ROLLED_BACK));
        }
        return parts;
    }
}
