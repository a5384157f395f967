package io.metaq.jms.transport;

import io.metaq.client.subscription.SubscriberListener;
import io.metaq.jms.failure.Deadline;
import java.util.concurrent.TimeUnit;

/**
 * Whether the link is up. Sends need to know for temporary destinations only: those are made again by the links of their owners, and
 * the producer's connection may be back before that.
 */
final class LinkState implements SubscriberListener {

    /** For so long after a reconnect, a temporary destination that is not there may be one that is about to be made again. */
    private static final long SETTLING_MS = 3000;

    private static final long PAUSE_MS = 20;

    private final SubscriberListener listener;
    private boolean up = true;
    private boolean interruptedOnce;
    private long resumedAt;

    LinkState(SubscriberListener listener) {
        this.listener = listener;
    }

    @Override
    public void interrupted(RuntimeException cause) {
        synchronized (this) {
            up = false;
            interruptedOnce = true;
        }
        listener.interrupted(cause);
    }

    @Override
    public void resumed() {
        synchronized (this) {
            up = true;
            resumedAt = System.nanoTime();
            notifyAll();
        }
        listener.resumed();
    }

    @Override
    public void failed(RuntimeException cause) {
        synchronized (this) {
            up = true;
            notifyAll();
        }
        listener.failed(cause);
    }

    /** Waits until everything that this connection had is made again. Returns early when interrupted, which the thread stays. */
    synchronized void awaitUp(Deadline deadline) {
        waitWhileDown(deadline);
    }

    /**
     * A temporary destination was not there.
     *
     * @return whether it may be there after the pause that this made
     */
    synchronized boolean mayComeBack(Deadline deadline) {
        boolean settling =
                interruptedOnce && (!up || System.nanoTime() - resumedAt < TimeUnit.MILLISECONDS.toNanos(SETTLING_MS));
        if (!settling || deadline.hasPassed()) {
            return false;
        }
        waitWhileDown(deadline);
        return pause(PAUSE_MS);
    }

    private void waitWhileDown(Deadline deadline) {
        boolean undisturbed = true;
        while (!up && undisturbed && !deadline.hasPassed()) {
            undisturbed = pause(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline.nanosLeft())));
        }
    }

    private boolean pause(long millis) {
        try {
            wait(millis);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
