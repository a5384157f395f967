package io.metaq.broker.net;

import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** An event loop as seen by what lives on it beside connections. Two of the same loop are equal. Any thread. */
public final class SessionLoop {
    private final EventExecutor executor;
    private final EventLoopReplies replies;

    SessionLoop(EventExecutor executor, EventLoopReplies replies) {
        this.executor = executor;
        this.replies = replies;
    }

    /** Whether the caller is on the loop. */
    public boolean here() {
        return executor.inEventLoop();
    }

    /** Runs {@code task} on the loop, soon. Nothing happens when the broker has stopped. */
    public void execute(Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException e) {
            stopped();
        }
    }

    /** Runs {@code task} on the loop when the journal's batch is answered as a whole. For proposals that are committed. */
    public void afterBatch(Runnable task) {
        replies.add(new Reply() {
            @Override
            public @Nullable Session session() {
                return null;
            }

            @Override
            public void reply() {
                task.run();
            }
        });
    }

    /** Runs {@code task} on the loop after a delay; the result takes it back. */
    public Runnable schedule(long delayMs, Runnable task) {
        try {
            var timer = executor.schedule(task, delayMs, TimeUnit.MILLISECONDS);
            return () -> timer.cancel(false);
        } catch (RejectedExecutionException e) {
            return stopped();
        }
    }

    /** The loops end after the connections; what is wanted then would reach nobody. */
    private static Runnable stopped() {
        return () -> {};
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SessionLoop loop && loop.executor == executor;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(executor);
    }
}
