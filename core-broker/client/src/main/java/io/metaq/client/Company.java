package io.metaq.client;

import io.netty.channel.EventLoop;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Keeps senders together who wait for their answers. Those who are told of one batch send again at about the same time, as those do who
 * wait already. Whoever came first would travel alone, and all others would wait for that: so they are waited for, half as long as the
 * way to the broker and back takes. Belongs to the network thread.
 */
final class Company {

    private static final long LONGEST_WAIT_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    private final EventLoop loop;
    private final Consumer<PartitionQueue> goOn;

    /** @param goOn called with a queue whose time is over */
    Company(EventLoop loop, Consumer<PartitionQueue> goOn) {
        this.loop = loop;
        this.goOn = goOn;
    }

    /** The senders of a batch are about to be told. */
    void expect(PartitionQueue queue, Batch told) {
        if (queue.inFlight > 1 || !queue.expect(told.count())) {
            return;
        }
        long limit = Math.min(LONGEST_WAIT_NANOS, (System.nanoTime() - told.writtenNanos) / 2);
        queue.patience = loop.schedule(
                () -> {
                    queue.expectNoMore();
                    goOn.accept(queue);
                },
                limit,
                TimeUnit.NANOSECONDS);
    }

    /** Whether somebody is waited for still. */
    static boolean isAwaited(PartitionQueue queue) {
        if (queue.isExpecting()) {
            return true;
        }
        ScheduledFuture<?> patience = queue.patience;
        if (patience != null) {
            queue.patience = null;
            patience.cancel(false);
        }
        return false;
    }
}
