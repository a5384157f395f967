package io.metaq.tck.transaction;

import io.metaq.client.FetchedBatch;
import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.client.Puller;
import java.time.Duration;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Looks for halves of transactions: what it has seen in one partition must be in the other when it looks there afterwards, whichever it
 * begins with.
 */
final class PairReader {
    private static final int FETCH_BYTES = 64 * 1024;
    private static final int PAUSE_MS = 2;

    private static final class Side {
        private final Puller puller;
        private final BitSet seen = new BitSet();
        private long offset;

        Side(MetaqClient client, int partition) {
            puller = client.puller(TransactionWriter.PAIRS, partition);
        }

        void readToTheEnd() {
            boolean more = true;
            while (more) {
                try (FetchedBatch batch = puller.fetch(offset, FETCH_BYTES, Duration.ZERO)) {
                    for (Message message : batch) {
                        seen.set(message.buffer().duplicate().getInt());
                    }
                    offset = batch.nextOffset();
                    more = !batch.isEmpty();
                }
            }
        }
    }

    private final Side[] sides;
    private int pairs;
    private @Nullable Throwable failure;

    PairReader(MetaqClient client) {
        sides = new Side[] {new Side(client, 0), new Side(client, 1)};
    }

    void start() {
        Thread thread = new Thread(this::run, "pairs");
        thread.setDaemon(true);
        thread.start();
    }

    private synchronized void run() {
        try {
            for (int round = 0; failure == null; round++) {
                look(sides[round % 2], sides[1 - round % 2]);
                wait(PAUSE_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            failure = e;
        }
    }

    private void look(Side first, Side second) {
        first.readToTheEnd();
        second.readToTheEnd();
        BitSet torn = (BitSet) first.seen.clone();
        torn.andNot(second.seen);
        if (!torn.isEmpty()) {
            throw new AssertionError("half of a transaction: " + torn);
        }
        pairs = second.seen.cardinality();
    }

    /** Waits until all pairs have come, and stops looking. */
    synchronized void await(int expected, long ms) throws InterruptedException {
        long until = System.nanoTime() + Duration.ofMillis(ms).toNanos();
        while (failure == null && pairs < expected && System.nanoTime() < until) {
            wait(PAUSE_MS);
        }
        if (failure != null || pairs != expected) {
            throw new AssertionError(pairs + " of " + expected + " pairs", failure);
        }
        failure = new IllegalStateException("over");
    }
}
