package io.metaq.jms.consumer;

import jakarta.jms.JMSException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Whether messages may flow to the consumers of one session, and the one lock that guards what waits in them. Held only for steps in
 * memory: never while waiting for the broker or running an application's code.
 *
 * <p>States: stopped and open alternate with the connection's stop and start; closed is final; a failure is final and stays a failure
 * through the close.
 */
public final class Gate {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean open;
    private boolean closed;
    private int waiting;
    private @Nullable JMSException failure;

    public void lock() {
        lock.lock();
    }

    public void unlock() {
        lock.unlock();
    }

    public boolean isHeld() {
        return lock.isHeldByCurrentThread();
    }

    /** Whether the connection is started and nothing is closed. To be asked with the lock held, as all below. */
    public boolean isOpen() {
        return open && !closed;
    }

    public boolean isClosed() {
        return closed;
    }

    public void setOpen(boolean started) {
        open = started;
        signal();
    }

    public void close() {
        closed = true;
        signal();
    }

    /** The connection is lost for good: who waits is told so. */
    public void fail(JMSException cause) {
        failure = cause;
        signal();
    }

    public @Nullable JMSException failure() {
        return failure;
    }

    /** Wakes everybody who waits; costs nothing when nobody does. */
    public void signal() {
        if (waiting > 0) {
            changed.signalAll();
        }
    }

    /** @return the nanoseconds that are left; 0 or less when the time is over */
    public long await(long nanos) throws InterruptedException {
        waiting++;
        try {
            return changed.awaitNanos(nanos);
        } finally {
            waiting--;
        }
    }

    /** Waits until something changes, whatever interrupts come; the thread stays interrupted. */
    public void awaitCalmly() {
        waiting++;
        try {
            changed.awaitUninterruptibly();
        } finally {
            waiting--;
        }
    }
}
