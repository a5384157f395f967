package io.metaq.broker.store;

import io.metaq.state.Partition;
import java.io.IOException;
import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Syncs partition logs, several at a time: a file system answers syncs of many files that come together by far fewer
 * writes than syncs that come one after the other.
 */
final class PartitionSync {
    private static final int THREADS = 8;
    private static final int FEW = 16;

    private final Queue<Partition> left;
    private final int threads;
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

    PartitionSync(Collection<Partition> partitions) {
        this.left = new ConcurrentLinkedQueue<>(partitions);
        this.threads = partitions.size() < FEW ? 1 : THREADS;
    }

    /** Returns when all are synced, or throws the first failure. */
    void run() throws IOException {
        CountDownLatch done = new CountDownLatch(threads - 1);
        for (int i = 1; i < threads; i++) {
            Thread helper = new Thread(
                    () -> {
                        syncLeft();
                        done.countDown();
                    },
                    "metaq-checkpoint-sync-" + i);
            helper.setDaemon(true);
            helper.start();
        }
        syncLeft();
        try {
            done.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while syncing partition logs", e);
        }
        Exception failed = failure.get();
        if (failed instanceof IOException io) {
            throw io;
        } else if (failed != null) {
            throw new IOException("syncing partition logs failed", failed);
        }
    }

    private void syncLeft() {
        for (Partition next = left.poll(); next != null && failure.get() == null; next = left.poll()) {
            try {
                next.files().sync();
            } catch (IOException | RuntimeException e) {
                failure.compareAndSet(null, e);
            }
        }
    }
}
