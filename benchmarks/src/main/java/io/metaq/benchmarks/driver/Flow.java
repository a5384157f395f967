package io.metaq.benchmarks.driver;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A producer that keeps up to a number of messages unanswered. */
final class Flow {

    private static final long ANSWER_SECONDS = 60;

    private final Sender sender;
    private final int producer;
    private final int bodyBytes;
    private final int limit;
    private final Semaphore room;
    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private long sent;

    Flow(Sender sender, int producer, int bodyBytes, int limit) {
        this.sender = sender;
        this.producer = producer;
        this.bodyBytes = bodyBytes;
        this.limit = limit;
        this.room = new Semaphore(limit);
    }

    /** Waits while too many are unanswered, then sends the next message. One thread calls this. */
    void next() throws Exception {
        take(1);
        sender.send(Body.of(producer, sent, System.nanoTime(), bodyBytes), this::answered);
        sent++;
    }

    private void answered(@Nullable Throwable error) {
        if (error == null) {
            acknowledged.incrementAndGet();
        } else {
            failure.compareAndSet(null, error);
        }
        room.release();
    }

    /** Waits until every message is answered; throws if any failed. */
    void finish() throws Exception {
        take(limit);
        room.release(limit);
        Throwable error = failure.get();
        if (error != null) {
            throw new IllegalStateException("a send failed: " + error, error);
        }
    }

    private void take(int permits) throws InterruptedException, TimeoutException {
        if (!room.tryAcquire(permits) && !room.tryAcquire(permits, ANSWER_SECONDS, TimeUnit.SECONDS)) {
            throw new TimeoutException("no answer to sends for " + ANSWER_SECONDS + " s");
        }
    }

    long sent() {
        return sent;
    }

    long acknowledged() {
        return acknowledged.get();
    }
}
