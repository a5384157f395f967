package io.metaq.jms.transport;

import io.metaq.jms.failure.Deadline;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what is under way, for those who have to wait until what began before has ended. */
final class Outstanding {

    private static final long LEAST_WAIT_NANOS = 1_000_000;

    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong ended = new AtomicLong();
    private final AtomicInteger waiting = new AtomicInteger();

    void begun() {
        begun.incrementAndGet();
    }

    void ended() {
        ended.incrementAndGet();
        if (waiting.get() > 0) {
            synchronized (this) {
                notifyAll();
            }
        }
    }

    /** Whether all that the calling thread has begun has ended, and all that others have. */
    boolean isNone() {
        long ends = ended.get();
        return ends == begun.get();
    }

    /** Waits until as many have ended as have begun by now: what begins meanwhile does not prolong it without end. */
    boolean await(Deadline deadline) {
        long wanted = begun.get();
        if (ended.get() >= wanted) {
            return true;
        }
        boolean interrupted = false;
        waiting.incrementAndGet();
        synchronized (this) {
            while (ended.get() < wanted && !deadline.hasPassed()) {
                try {
                    TimeUnit.NANOSECONDS.timedWait(this, Math.max(LEAST_WAIT_NANOS, deadline.nanosLeft()));
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        waiting.decrementAndGet();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return ended.get() >= wanted;
    }
}
