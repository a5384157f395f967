package io.metaq.broker.net;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes of messages taken in and not yet written, over all connections. At the limit connections are read no
 * further; TCP then slows the senders. They go on when half of the limit is free again.
 */
final class InFlight {
    private final long limitBytes;
    private final AtomicLong bytes = new AtomicLong();
    private volatile boolean awaited;
    private final Queue<Runnable> paused = new ConcurrentLinkedQueue<>();

    InFlight(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    void add(int more) {
        bytes.addAndGet(more);
    }

    boolean full() {
        return bytes.get() >= limitBytes;
    }

    void remove(int less) {
        long left = bytes.addAndGet(-less);
        if (left <= limitBytes / 2) {
            resumePaused();
        }
        if (left == 0 && awaited) {
            synchronized (this) {
                notifyAll();
            }
        }
    }

    /** Waits until everything taken in is written; false if that takes longer than {@code timeoutMs}. */
    boolean awaitEmpty(long timeoutMs) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        awaited = true;
        synchronized (this) {
            long left = timeoutMs;
            while (bytes.get() > 0 && left > 0) {
                try {
                    wait(left);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return false;
                }
                left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            }
        }
        return bytes.get() == 0;
    }

    /** Runs {@code resume} when there is room: soon, on any thread. */
    void whenRoom(Runnable resume) {
        paused.add(resume);
        // The last bytes may have gone between the caller's look and its queueing.
        if (bytes.get() <= limitBytes / 2) {
            resumePaused();
        }
    }

    private void resumePaused() {
        for (Runnable resume = paused.poll(); resume != null; resume = paused.poll()) {
            resume.run();
        }
    }

    long bytes() {
        return bytes.get();
    }
}
