package io.metaq.client;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one thread of a consumer. Tasks that come after its end are dropped. */
final class ConsumerThread {

    private static final Logger LOG = LoggerFactory.getLogger(ConsumerThread.class);

    private final ScheduledThreadPoolExecutor executor;
    private volatile @Nullable Thread thread;

    ConsumerThread(String name) {
        executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread fresh = new Thread(task, name);
            fresh.setDaemon(true);
            thread = fresh;
            return fresh;
        });
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        executor.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
    }

    boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    /** Runs at once if called on the thread itself, else in turn. */
    void run(Runnable task) {
        run(task, () -> {});
    }

    /** @param instead called if the thread has ended */
    void run(Runnable task, Runnable instead) {
        if (isCurrent()) {
            guarded(task);
            return;
        }
        try {
            executor.execute(() -> guarded(task));
        } catch (RejectedExecutionException e) {
            LOG.trace("after the end of the consumer's thread", e);
            instead.run();
        }
    }

    /** Runs in turn, behind what waits already. */
    void later(Runnable task) {
        after(0, task);
    }

    void after(long delayMs, Runnable task) {
        try {
            executor.schedule(() -> guarded(task), delayMs, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.trace("after the end of the consumer's thread", e);
        }
    }

    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            // The thread lives on for the other partitions; a task of ours that throws is a mistake of ours.
            LOG.error("a task of the consumer failed", e);
        }
    }

    void end(boolean interrupt) {
        if (interrupt) {
            executor.shutdownNow();
        } else {
            executor.shutdown();
        }
    }

    boolean awaitEnd(long ms) throws InterruptedException {
        return executor.awaitTermination(ms, TimeUnit.MILLISECONDS);
    }
}
