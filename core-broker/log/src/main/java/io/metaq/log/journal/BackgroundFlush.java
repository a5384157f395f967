package io.metaq.log.journal;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The thread that syncs records nobody waits for, at most a flush interval after they were written. */
final class BackgroundFlush implements AutoCloseable {

    private final Flusher flusher;
    private final int intervalMs;
    private final Runnable whenIdle;
    private final FatalErrorListener listener;
    private final Thread thread = new Thread(this::run, "journal-flusher");
    private boolean closed;
    private boolean kicked;
    private long lastSeen = -1;

    /** @param whenIdle called when nothing was written for an interval and all is durable */
    BackgroundFlush(Flusher flusher, int intervalMs, Runnable whenIdle, FatalErrorListener listener) {
        this.flusher = flusher;
        this.intervalMs = intervalMs;
        this.whenIdle = whenIdle;
        this.listener = listener;
    }

    void start() {
        thread.setDaemon(true);
        thread.start();
    }

    /** A segment is complete: syncing it now keeps the next sync that somebody waits for short. */
    synchronized void kick() {
        kicked = true;
        notifyAll();
    }

    private void run() {
        try {
            while (awaitTick()) {
                tick();
            }
        } catch (IOException | RuntimeException e) {
            listener.journalFailed(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void tick() throws IOException {
        long written = flusher.written();
        if (written == lastSeen && flusher.durable() == written) {
            whenIdle.run();
        }
        lastSeen = written;
        flusher.sync();
    }

    private synchronized boolean awaitTick() throws InterruptedException {
        long until = System.nanoTime() + intervalMs * 1_000_000L;
        while (!closed && !kicked) {
            long leftMs = (until - System.nanoTime()) / 1_000_000L;
            if (leftMs <= 0) {
                break;
            }
            wait(leftMs);
        }
        kicked = false;
        return !closed;
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        joinUnlessSelf(thread);
    }

    /** Waits for the end of a thread that was asked to end. */
    static void joinUnlessSelf(@Nullable Thread thread) {
        if (thread == null || thread == Thread.currentThread()) {
            return;
        }
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
