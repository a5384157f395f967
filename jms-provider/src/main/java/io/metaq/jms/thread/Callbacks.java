package io.metaq.jms.thread;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a connection calls its application other than from sessions: completion listeners and the exception listener. A caller that
 * blocks holds up its own line of calls only.
 */
public final class Callbacks {

    private static final Logger LOG = LoggerFactory.getLogger(Callbacks.class);
    private static final long KEEP_ALIVE_MS = 1000;

    private final ThreadPoolExecutor threads;

    public Callbacks(String threadName) {
        threads = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                KEEP_ALIVE_MS,
                TimeUnit.MILLISECONDS,
                new SynchronousQueue<>(),
                daemons(threadName),
                (task, pool) -> LOG.debug("the connection is closed: a callback is not called any more"));
    }

    /** A line of calls: one at a time, in order. */
    public Executor line() {
        return new Line();
    }

    /** Ends the threads; one that runs an application's code ends when that returns. */
    public void close() {
        threads.shutdown();
    }

    static ThreadFactory daemons(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    private final class Line implements Executor {

        private final Queue<Runnable> tasks = new ArrayDeque<>();
        private boolean running;

        @Override
        public void execute(Runnable task) {
            synchronized (this) {
                tasks.add(task);
                if (running) {
                    return;
                }
                running = true;
            }
            threads.execute(this::runAll);
        }

        private void runAll() {
            for (Runnable task = next(); task != null; task = next()) {
                try {
                    task.run();
                } catch (RuntimeException e) {
                    LOG.warn("a listener failed", e);
                }
            }
        }

        private synchronized @Nullable Runnable next() {
            Runnable task = tasks.poll();
            running = task != null;
            return task;
        }
    }
}
