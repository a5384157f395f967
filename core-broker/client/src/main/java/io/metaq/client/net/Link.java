package io.metaq.client.net;

import io.metaq.client.net.NetworkFailure.Kind;
import io.metaq.protocol.Request;
import io.metaq.protocol.Response;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to one broker for one purpose: a connection that is made when needed and made again when it broke.
 *
 * <p>States: {@code IDLE} (never used, or unused since it broke) to {@code CONNECTING} to {@code READY}; from either of these to
 * {@code WAITING} when the connection fails, which ends after a delay that doubles from 100 ms to 5 s; to {@code REFUSED} for good when
 * the broker does not let this client in; {@code CLOSED} for good. While {@code CONNECTING} requests queue; while {@code WAITING} they
 * fail at once, so that the caller can turn to another broker.
 */
public final class Link {

    private static final Logger LOG = LoggerFactory.getLogger(Link.class);
    private static final long MIN_BACKOFF_MS = 100;
    private static final long MAX_BACKOFF_MS = 5_000;
    private static final long UNUSED_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final NetworkFailure CLOSED = new NetworkFailure(Kind.CLOSED, "the client is closed", null);

    private enum State {
        IDLE,
        CONNECTING,
        READY,
        WAITING,
        REFUSED,
        CLOSED
    }

    private record Queued(IntFunction<Request> request, long timeoutMs, ReplyHandler handler) {}

    private final EventLoop loop;
    private final String host;
    private final int port;
    private final LinkSettings settings;
    private final List<LinkListener> listeners = new ArrayList<>();
    private final ArrayDeque<Queued> queue = new ArrayDeque<>();

    private volatile Consumer<Response.Unasked> unasked = Response::release;
    private volatile State state = State.IDLE;
    private volatile @Nullable ServerInfo server;
    private @Nullable Connection connection;
    private NetworkFailure lastFailure = new NetworkFailure(Kind.UNREACHABLE, "not connected yet", null);
    private long backoffMs = MIN_BACKOFF_MS;
    private long lastUse;

    /** The broker was told that this connection ends, so its end is no news. */
    private boolean leaving;

    Link(EventLoop loop, String host, int port, LinkSettings settings) {
        this.loop = loop;
        this.host = host;
        this.port = port;
        this.settings = settings;
    }

    /** The thread of this link; everything it tells, it tells there. */
    public EventLoop loop() {
        return loop;
    }

    /** What the broker said when it was last connected; null before. */
    public @Nullable ServerInfo server() {
        return server;
    }

    /** Whether the last attempt to connect failed and the next is not due yet. */
    public boolean isDown() {
        return state == State.WAITING;
    }

    /** Whether the broker does not let this client in. */
    public boolean isRefused() {
        return state == State.REFUSED;
    }

    /** Takes what the broker sends unasked, on the loop. To be set before the link is used; whoever takes a frame releases it. */
    public void onUnasked(Consumer<Response.Unasked> taker) {
        unasked = taker;
    }

    /** Sends what has no answer, on the loop; dropped when there is no connection. */
    public void tell(Request request) {
        Connection open = connection;
        if (state == State.READY && open != null) {
            leaving |= request instanceof Request.Quit;
            open.tell(request);
        } else {
            request.release();
        }
    }

    /**
     * Sends a request, connecting first if necessary. May be called on any thread.
     *
     * @param request makes the request when its opaque is known; called on the loop, at most once. Not called when the request
     *     fails before, so a body made by it needs no release then
     * @param timeoutMs until the reply
     */
    public void call(IntFunction<Request> request, long timeoutMs, ReplyHandler handler) {
        if (!run(() -> callOnLoop(request, timeoutMs, handler))) {
            handler.failed(CLOSED);
        }
    }

    /** Connects if there is no connection, so that it is there when needed. */
    public void connect() {
        run(() -> {
            lastUse = System.nanoTime();
            if (state == State.IDLE) {
                open();
            }
        });
    }

    /** Drops the connection as if it had broken; the next use makes a new one after the usual delay. */
    public void reset(String why) {
        run(() -> {
            if (connection != null) {
                connection.fail(new NetworkFailure(Kind.LOST, why, null));
            }
        });
    }

    /** Adds a listener. If the link is up it is told so first. */
    public void listen(LinkListener listener) {
        run(() -> {
            listeners.add(listener);
            ServerInfo known = server;
            if (state == State.READY && known != null) {
                listener.up(known);
            }
        });
    }

    public void unlisten(LinkListener listener) {
        run(() -> listeners.remove(listener));
    }

    /** Runs on the loop, at once if the caller is there. @return false if the loop has ended */
    public boolean run(Runnable task) {
        if (loop.inEventLoop()) {
            task.run();
            return true;
        }
        try {
            loop.execute(task);
            return true;
        } catch (RejectedExecutionException e) {
            LOG.trace("{} after the end of the network thread", this, e);
            return false;
        }
    }

    /** Ends the connection, failing what is under way. */
    public void close() {
        run(() -> {
            if (state == State.CLOSED) {
                return;
            }
            state = State.CLOSED;
            Connection open = connection;
            connection = null;
            if (open != null) {
                open.close(new NetworkFailure(Kind.LOST, "the client is closed", null));
            }
            failQueue(CLOSED);
            List.copyOf(listeners).forEach(listener -> listener.down(CLOSED));
        });
    }

    private void callOnLoop(IntFunction<Request> request, long timeoutMs, ReplyHandler handler) {
        lastUse = System.nanoTime();
        switch (state) {
            case READY -> ready().send(request, timeoutMs, handler);
            case CONNECTING -> queue.add(new Queued(request, timeoutMs, handler));
            case IDLE -> {
                queue.add(new Queued(request, timeoutMs, handler));
                open();
            }
            case WAITING -> handler.failed(unreachable());
            case REFUSED -> handler.failed(lastFailure);
            case CLOSED -> handler.failed(CLOSED);
        }
    }

    private Connection ready() {
        Connection open = connection;
        if (open == null) {
            throw new IllegalStateException("ready without a connection");
        }
        return open;
    }

    private NetworkFailure unreachable() {
        return new NetworkFailure(Kind.UNREACHABLE, lastFailure.text(), lastFailure.cause());
    }

    private void open() {
        state = State.CONNECTING;
        leaving = false;
        connection = Connection.open(loop, host, port, settings, new Connection.Owner() {
            @Override
            public void ready(ServerInfo info) {
                becomeReady(info);
            }

            @Override
            public void unasked(Response.Unasked frame) {
                unasked.accept(frame);
            }

            @Override
            public void ended(NetworkFailure failure) {
                if (failure.kind() == Kind.REFUSED) {
                    becomeRefused(failure);
                } else {
                    becomeWaiting(failure);
                }
            }
        });
    }

    private void becomeReady(ServerInfo info) {
        if (state != State.CONNECTING) {
            return;
        }
        state = State.READY;
        server = info;
        backoffMs = MIN_BACKOFF_MS;
        LOG.debug("connected to {}:{}: {}", host, port, info);
        List.copyOf(listeners).forEach(listener -> listener.up(info));
        for (Queued next = queue.poll(); next != null; next = queue.poll()) {
            callOnLoop(next.request, next.timeoutMs, next.handler);
        }
    }

    private void becomeWaiting(NetworkFailure failure) {
        if (state == State.CLOSED) {
            return;
        }
        boolean wasReady = state == State.READY;
        state = State.WAITING;
        connection = null;
        lastFailure = failure;
        if (wasReady && !leaving) {
            LOG.info("connection to {}:{} ended: {}", host, port, failure.text());
        } else {
            LOG.debug("{} {}:{}: {}", wasReady ? "left" : "cannot connect to", host, port, failure.text());
        }
        failQueue(unreachable());
        List.copyOf(listeners).forEach(listener -> listener.down(failure));
        loop.schedule(this::retry, backoffMs, TimeUnit.MILLISECONDS);
        backoffMs = Math.min(MAX_BACKOFF_MS, backoffMs * 2);
    }

    private void becomeRefused(NetworkFailure failure) {
        if (state == State.CLOSED) {
            return;
        }
        LOG.warn("{}:{} does not let us in: {}", host, port, failure.text());
        state = State.REFUSED;
        connection = null;
        lastFailure = failure;
        failQueue(failure);
        List.copyOf(listeners).forEach(listener -> listener.down(failure));
    }

    private void retry() {
        if (state != State.WAITING) {
            return;
        }
        if (listeners.isEmpty() && System.nanoTime() - lastUse > UNUSED_NANOS) {
            state = State.IDLE;
        } else {
            open();
        }
    }

    private void failQueue(NetworkFailure failure) {
        List<Queued> failed = new ArrayList<>(queue);
        queue.clear();
        failed.forEach(queued -> queued.handler.failed(failure));
    }

    @Override
    public String toString() {
        return host + ":" + port + " (" + state + ")";
    }
}
