package io.metaq.client;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Bytes that a producer may hold for messages without an outcome. */
final class ByteBudget {

    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final long limit;
    private final AtomicLong used = new AtomicLong();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition room = lock.newCondition();
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile boolean closed;

    ByteBudget(long limit) {
        this.limit = limit;
    }

    /** Takes without waiting. A message bigger than the whole budget passes when nothing else is under way. */
    boolean tryTake(int bytes) {
        long after = used.addAndGet(bytes);
        if (after <= limit || after == bytes) {
            return true;
        }
        used.addAndGet(-bytes);
        return false;
    }

    /** Takes whatever the limit says: for callers that must not wait. */
    void force(int bytes) {
        used.addAndGet(bytes);
    }

    /** Waits for room. @return false when closed meanwhile, or when no room came before {@code limitNanos} */
    boolean take(int bytes, long limitNanos) throws InterruptedException {
        if (tryTake(bytes)) {
            return true;
        }
        lock.lockInterruptibly();
        try {
            waiting.incrementAndGet();
            long left = limitNanos;
            while (!tryTake(bytes)) {
                if (closed || left <= 0) {
                    return false;
                }
                // In slices: a giver that saw the bytes of a failed attempt of ours may think that there is no room
                // yet.
                long slice = Math.min(left, SLICE_NANOS);
                left -= slice - room.awaitNanos(slice);
            }
            return true;
        } finally {
            waiting.decrementAndGet();
            lock.unlock();
        }
    }

    /** Gives back. Waiting senders are woken at half of the limit, not for every batch: waking costs more than waiting. */
    void give(long bytes) {
        long left = used.addAndGet(-bytes);
        if (waiting.get() > 0 && left <= limit / 2) {
            wake();
        }
    }

    void close() {
        closed = true;
        wake();
    }

    private void wake() {
        lock.lock();
        try {
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }

    long used() {
        return used.get();
    }
}
