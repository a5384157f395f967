package io.metaq.jms.thread;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A connection's clock: runs short tasks later. The thread is started by the first task. */
public final class ConnectionTimer {

    private final String threadName;
    private @Nullable ScheduledThreadPoolExecutor executor;
    private boolean closed;

    public ConnectionTimer(String threadName) {
        this.threadName = threadName;
    }

    /** Runs the task after the delay, unless the connection is closed before. It must not block. */
    public synchronized void after(long delayMs, Runnable task) {
        if (closed) {
            return;
        }
        if (executor == null) {
            executor = new ScheduledThreadPoolExecutor(1, Callbacks.daemons(threadName));
            executor.setRemoveOnCancelPolicy(true);
        }
        executor.schedule(task, delayMs, TimeUnit.MILLISECONDS);
    }

    public synchronized void close() {
        closed = true;
        if (executor != null) {
            executor.shutdownNow();
        }
    }
}
