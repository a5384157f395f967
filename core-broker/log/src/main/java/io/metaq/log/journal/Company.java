package io.metaq.log.journal;

import java.util.concurrent.TimeUnit;

/**
 * Keeps senders that wait for the disk together. Those who were answered with one sync send again at about the same time;
 * whoever comes first would get a sync of its own, and all others wait for it. So the writer gives way to the others for as
 * long as a sync takes, at most until as many are there as were the last time.
 *
 * <p>Nobody waits for company that was not there a moment ago: a lone sender never does, and senders that stay away are
 * waited for once. Belongs to the writer's thread.
 */
final class Company {

    private static final long LONGEST_WAIT_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    private int expected;
    private long syncNanos;

    /** Waits for those who are likely to come. Called when there is something in the queue. */
    void await(ProposalQueue queue) {
        if (expected <= 1 || queue.holds(expected)) {
            return;
        }
        long begin = System.nanoTime();
        long limit = Math.min(syncNanos, LONGEST_WAIT_NANOS);
        while (System.nanoTime() - begin < limit) {
            Thread.yield();
            if (queue.holds(expected)) {
                return;
            }
        }
    }

    /** A batch was written. @param nanos what its sync took, 0 if it needed none */
    void written(int records, long nanos) {
        expected = nanos == 0 ? 0 : records;
        syncNanos = nanos;
    }
}
