package io.metaq.client.zookeeper;

import io.metaq.client.MetaqException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One ZooKeeper session after the other: when one has expired the next is opened. States: connecting, connected,
 * disconnected (the session may live on), expired (then connecting anew), closed. Changes are told on the thread
 * {@code metaq-zookeeper}.
 */
final class Session implements AutoCloseable {

    /** Told changes of state, one at a time; must not block. */
    interface Listener {
        /** A connection stands. A session id that was not told before has neither nodes nor watches. */
        void connected(long session);

        /** The connection broke; nodes and watches of the session stay if it comes back in time. */
        void disconnected();

        /** The session is over and all its nodes are gone. */
        void expired();
    }

    private static final Logger LOG = LoggerFactory.getLogger(Session.class);
    private static final int CLOSE_MS = 1_000;
    private static final int CLOSE_BY_FORCE_MS = 500;

    private final String connect;
    private final int timeoutMs;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final Set<Long> formerSessions = ConcurrentHashMap.newKeySet();
    private final Set<String> abandoned = ConcurrentHashMap.newKeySet();
    private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, Session::daemon);
    private final Object monitor = new Object();
    private volatile long heardNanos = System.nanoTime();
    private @Nullable ZooKeeper current;
    private boolean connected;
    private boolean closed;

    Session(String connect, Duration timeout) {
        this.connect = connect;
        this.timeoutMs = (int) Math.min(timeout.toMillis(), Integer.MAX_VALUE);
        open();
        int beatMs = Math.max(1, timeoutMs / 6);
        thread.scheduleWithFixedDelay(this::beat, beatMs, beatMs, TimeUnit.MILLISECONDS);
    }

    String connect() {
        return connect;
    }

    /**
     * How much longer the server surely keeps the session's nodes though it hears nothing, less a margin of a sixth of
     * the timeout for clocks and busy machines. Not positive: others may own what this session owned.
     */
    long safeForMs() {
        long silentMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - heardNanos);
        return timeoutMs() * 5L / 6 - silentMs;
    }

    /** As agreed with the server once connected. */
    int timeoutMs() {
        synchronized (monitor) {
            int agreed = current == null ? 0 : current.getSessionTimeout();
            return agreed > 0 ? agreed : timeoutMs;
        }
    }

    void add(Listener listener) {
        listeners.add(listener);
    }

    void remove(Listener listener) {
        listeners.remove(listener);
    }

    /** The connected handle; fails at once, rather than wait, when there is none. */
    ZooKeeper handle() throws KeeperException {
        synchronized (monitor) {
            if (!connected || current == null) {
                throw new KeeperException.ConnectionLossException();
            }
            return current;
        }
    }

    boolean isConnected() {
        synchronized (monitor) {
            return connected;
        }
    }

    /** Whether this object had that session before: nodes of it are leftovers of our own. */
    boolean isFormer(long session) {
        return formerSessions.contains(session);
    }

    /**
     * Waits for a connection.
     *
     * @throws MetaqException if none stands when the time is up
     */
    void awaitConnected(Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        synchronized (monitor) {
            while (!connected && !closed) {
                long leftMs = (deadline - System.nanoTime()) / 1_000_000;
                if (leftMs <= 0) {
                    throw new MetaqException(
                            "ZooKeeper " + connect + " did not answer within " + limit.toMillis()
                                    + " ms: check that it runs and the address is right",
                            null);
                }
                try {
                    monitor.wait(leftMs);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new MetaqException("interrupted while connecting to ZooKeeper " + connect, e);
                }
            }
        }
    }

    /** Nodes of the present session that could not be deleted now: deleted when the connection is back. */
    void abandon(Set<String> paths) {
        abandoned.addAll(paths);
        if (isConnected()) {
            deleteAbandoned();
        }
    }

    /** Within 1.5 s, whatever the servers do; ends the session if they answer. */
    @Override
    public void close() {
        ZooKeeper last;
        synchronized (monitor) {
            closed = true;
            connected = false;
            last = current;
            current = null;
            monitor.notifyAll();
        }
        thread.shutdownNow();
        if (last != null) {
            closeInTime(last);
        }
    }

    private void open() {
        synchronized (monitor) {
            if (closed) {
                return;
            }
            ZKClientConfig config = new ZKClientConfig();
            // A call must not outlast the moment at which others may take over what the session held.
            config.setProperty(
                    ZKClientConfig.ZOOKEEPER_REQUEST_TIMEOUT, Integer.toString(Math.max(1000, timeoutMs / 3)));
            Generation generation = new Generation();
            try {
                generation.handle = new ZooKeeper(connect, timeoutMs, generation::process, false, config);
            } catch (IOException | IllegalArgumentException e) {
                throw new MetaqException("cannot use the ZooKeeper address '" + connect + "': " + e.getMessage(), e);
            }
            current = generation.handle;
        }
    }

    /** Binds events to the handle they come from: those of a handle that was given up do not count. */
    private final class Generation {
        @Nullable
        ZooKeeper handle;

        void process(WatchedEvent event) {
            execute(() -> changed(this, event.getState()));
        }
    }

    /** The server has heard of us at the latest when the question was sent that it answered. */
    private void beat() {
        long sent = System.nanoTime();
        try {
            handle().exists(
                            "/",
                            false,
                            (code, path, context, stat) -> {
                                if (code == KeeperException.Code.OK.intValue()) {
                                    heardNanos = sent;
                                }
                            },
                            null);
        } catch (KeeperException e) {
            LOG.trace("not connected: no heartbeat", e);
        }
    }

    private void execute(Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("closed: event ignored");
        }
    }

    private void changed(Generation generation, KeeperState state) {
        ZooKeeper handle;
        synchronized (monitor) {
            handle = generation.handle;
            if (closed || handle == null || handle != current) {
                return;
            }
            connected = state == KeeperState.SyncConnected;
            monitor.notifyAll();
        }
        switch (state) {
            case SyncConnected -> connected(handle);
            case Disconnected -> {
                LOG.warn("connection to ZooKeeper {} lost, connecting again", connect);
                tell(Listener::disconnected);
            }
            case Expired -> {
                LOG.warn("session with ZooKeeper {} expired, opening another", connect);
                abandoned.clear();
                tell(Listener::expired);
                open();
            }
            default -> LOG.warn("ZooKeeper {}: {}", connect, state);
        }
    }

    private void connected(ZooKeeper handle) {
        formerSessions.add(handle.getSessionId());
        heardNanos = System.nanoTime();
        LOG.info("connected to ZooKeeper {}, session 0x{}", connect, Long.toHexString(handle.getSessionId()));
        deleteAbandoned();
        tell(listener -> listener.connected(handle.getSessionId()));
    }

    private void tell(Consumer<Listener> what) {
        for (Listener listener : listeners) {
            what.accept(listener);
        }
    }

    private void deleteAbandoned() {
        for (String path : abandoned) {
            try {
                abandoned.remove(path);
                handle().delete(
                                path,
                                -1,
                                (code, p, context) -> {
                                    if (code == KeeperException.Code.CONNECTIONLOSS.intValue()) {
                                        abandoned.add(path);
                                    }
                                },
                                null);
            } catch (KeeperException e) {
                abandoned.add(path);
                return;
            }
        }
    }

    /** Closing asks the server and waits for its answer; when that takes too long, interrupting skips the wait. */
    private static void closeInTime(ZooKeeper handle) {
        Thread closer = daemon(() -> {
            try {
                handle.close();
            } catch (InterruptedException e) {
                LOG.debug("closed without the server's answer");
            }
        });
        closer.start();
        try {
            closer.join(CLOSE_MS);
            if (closer.isAlive()) {
                closer.interrupt();
                closer.join(CLOSE_BY_FORCE_MS);
            }
        } catch (InterruptedException e) {
            closer.interrupt();
            Thread.currentThread().interrupt();
        }
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "metaq-zookeeper");
        thread.setDaemon(true);
        return thread;
    }
}
