package io.metaq.tck.transaction;

import static java.util.Objects.requireNonNull;

import io.metaq.client.ClientClosedException;
import io.metaq.client.FetchedBatch;
import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.client.Puller;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Follows a partition from its first message on, and judges each message as it comes. */
final class TransactionReader {
    private static final int FETCH_BYTES = 256 * 1024;
    private static final Duration WAIT = Duration.ofSeconds(1);

    private final MetaqClient client;
    private final int partition;
    private final Puller puller;
    private final BitSet seen = new BitSet();
    private int count;
    private int newestInOrder = -1;
    private boolean left;
    private @Nullable Throwable failure;

    TransactionReader(MetaqClient client, int partition) {
        this.client = client;
        this.partition = partition;
        this.puller = client.puller(TransactionWriter.FLOW, partition);
    }

    int partition() {
        return partition;
    }

    void start() {
        Thread thread = new Thread(this::run, "reader");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        long offset = 0;
        try {
            while (true) {
                try (FetchedBatch batch = puller.fetch(offset, FETCH_BYTES, WAIT)) {
                    if (batch.offset() != offset) {
                        throw new AssertionError("sent from " + offset + " to " + batch.offset());
                    }
                    judge(batch);
                    offset = batch.nextOffset();
                }
            }
        } catch (ClientClosedException e) {
            client.close();
        } catch (Throwable e) {
            fail(e);
        }
    }

    private synchronized void fail(Throwable why) {
        failure = why;
        notifyAll();
    }

    private synchronized void judge(FetchedBatch batch) {
        for (Message message : batch) {
            ByteBuffer body = message.buffer().duplicate();
            int number = body.getInt();
            byte kind = body.get();
            if (kind == TransactionWriter.LEFT) {
                left = true;
                continue;
            }
            if (kind == TransactionWriter.ROLLED_BACK) {
                throw new AssertionError("message " + number + " was rolled back");
            }
            if (seen.get(number)) {
                throw new AssertionError("message " + number + " came twice");
            }
            if (kind == TransactionWriter.IN_ORDER && number < newestInOrder) {
                throw new AssertionError("message " + number + " came after " + newestInOrder);
            }
            newestInOrder = kind == TransactionWriter.IN_ORDER ? number : newestInOrder;
            seen.set(number);
            count++;
        }
        notifyAll();
    }

    /** Waits until it has seen so many messages; never one of the transaction that is left open. */
    synchronized void await(int messages, long ms) throws InterruptedException {
        long until = System.nanoTime() + Duration.ofMillis(ms).toNanos();
        while (failure == null && count < messages && System.nanoTime() < until) {
            wait(100);
        }
        if (failure != null) {
            throw new AssertionError("reader of partition " + partition, requireNonNull(failure));
        }
        if (count != messages || left) {
            throw new AssertionError("%d of %d messages in partition %d, the first missing is %d, %s"
                    .formatted(count, messages, partition, seen.nextClearBit(0), left ? "and an open one" : ""));
        }
    }

    synchronized boolean hasSeenTheLeftOne() {
        return left && failure == null;
    }

    void close() {
        puller.close();
    }
}
