package io.metaq.broker.net;

import io.metaq.log.partition.LogSlice;
import io.metaq.protocol.Request;
import io.metaq.protocol.Response;
import io.metaq.protocol.Status;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * One connection, as the command handlers see it. Everything here runs on the connection's event loop but
 * {@link #later}.
 */
public final class Session {
    private final Peer peer;
    private final EventExecutor executor;
    private final EventLoopReplies replies;
    private final InFlight inFlight;
    private final Dispatcher dispatcher;
    private final Queue<Request> held = new ArrayDeque<>();
    private final List<Runnable> onClose = new ArrayList<>();
    private final Map<Class<?>, Object> parts = new IdentityHashMap<>();
    private final Queue<Runnable> awaitingRoom = new ConcurrentLinkedQueue<>();
    private final SessionLoop loop;
    private String client = "";
    private String user = "";
    private int refusedLogins;
    private boolean negotiated;
    private boolean holding;
    private boolean dispatching;
    private int unanswered;
    private boolean closing;
    private boolean waitingForRoom;

    Session(Peer peer, EventExecutor executor, EventLoopReplies replies, InFlight inFlight, Dispatcher dispatcher) {
        this.loop = new SessionLoop(executor, replies);
        this.peer = peer;
        this.executor = executor;
        this.dispatcher = dispatcher;
        this.replies = replies;
        this.inFlight = inFlight;
    }

    /** Queues a reply; it leaves at the next {@link #flush}, which the session does after each read by itself. */
    public void reply(Status status, String text, int opaque) {
        reply(new Response.Result(status, text, opaque));
    }

    /** The same. Any thread; what one thread queues leaves in its order. */
    public void reply(Response.Result result) {
        peer.result(result);
    }

    /** Queues a result whose body is bytes as they are, such as a file's. */
    public void reply(Status status, byte[] body, int opaque) {
        peer.result(status, body, opaque);
    }

    /** Queues the answer to messages that were stored. */
    public void stored(long messageId, int partition, long offset, int opaque) {
        peer.stored(messageId, partition, offset, opaque);
    }

    /** Queues a slice of a partition log; releases it when sent. */
    public void value(LogSlice slice, int opaque) throws IOException {
        peer.value(slice, opaque);
    }

    /** Sends what is queued. Any thread. */
    public void flush() {
        peer.flush();
    }

    /**
     * Queues stored messages for a consumer. Any thread; what one thread queues leaves in its order.
     *
     * @param messages {@code count} whole messages from position to limit, copied here
     */
    public void deliver(int consumer, int partition, long offset, int count, int delivery, ByteBuffer messages) {
        peer.deliver(consumer, partition, offset, count, delivery, messages);
    }

    /** Queues the news that the broker has ended a consumer. Any thread. */
    public void detached(int consumer, String reason) {
        peer.detached(consumer, reason);
    }

    /** Whether the connection takes more before what is queued has left. Any thread. */
    public boolean writable() {
        return peer.writable();
    }

    /** Runs {@code action} once when the connection takes more: soon, on any thread. Not if it is closed before. */
    public void whenWritable(Runnable action) {
        awaitingRoom.add(action);
        // It may have got room between the caller's look and its queueing.
        if (peer.writable()) {
            roomAgain();
        }
    }

    /** The connection takes more. */
    public void roomAgain() {
        for (Runnable action = awaitingRoom.poll(); action != null; action = awaitingRoom.poll()) {
            action.run();
        }
    }

    /** The event loop that the connection lives on. Any thread. */
    public SessionLoop loop() {
        return loop;
    }

    /** Whether the connection is there. Any thread. */
    public boolean open() {
        return peer.open();
    }

    /** What a family of commands keeps for this connection, made when it is first asked for. */
    public <T> T part(Class<T> type, Supplier<T> making) {
        return type.cast(parts.computeIfAbsent(type, t -> making.get()));
    }

    /** Runs {@code action} on the event loop, followed by a flush. Any thread. */
    public void later(Runnable action) {
        later(replyOf(action));
    }

    private Reply replyOf(Runnable action) {
        return new Reply() {
            @Override
            public Session session() {
                return Session.this;
            }

            @Override
            public void reply() {
                action.run();
            }
        };
    }

    /** Gives a reply on the event loop, soon. Any thread. */
    public void later(Reply reply) {
        replies.add(reply);
        replies.wake();
    }

    /** Gives a reply on the event loop, once the journal's batch is answered as a whole. The journal's thread. */
    public void answered(Reply reply) {
        replies.add(reply);
    }

    /** The same with an action that replies. */
    public void answered(Runnable action) {
        answered(replyOf(action));
    }

    /** Runs {@code action} on the event loop after a delay; the result cancels it. */
    public Runnable after(long delayMs, Runnable action) {
        var timer = executor.schedule(
                () -> {
                    action.run();
                    flush();
                },
                delayMs,
                TimeUnit.MILLISECONDS);
        return () -> timer.cancel(false);
    }

    /** Handles no further request until {@link #release}, so that what was asked first is done first. */
    public void hold() {
        holding = true;
        readOn();
    }

    /** Goes on with what arrived meanwhile. */
    public void release() {
        holding = false;
        dispatchHeld();
        readOn();
        closeIfAnswered();
    }

    /** A request has been read. On the event loop. */
    public void received(Request request) {
        held.add(request);
        dispatchHeld();
        readOn();
    }

    private void dispatchHeld() {
        if (dispatching) {
            return;
        }
        dispatching = true;
        try {
            while (!holding && !held.isEmpty()) {
                dispatcher.dispatch(held.remove(), this);
            }
        } finally {
            dispatching = false;
        }
    }

    /** Reads from the connection, or not, by how much of it is under way. */
    void readOn() {
        boolean full = inFlight.full();
        // While it holds, the connection is read until there is something to hold: clients that wait for each answer
        // send nothing meanwhile, and to stop reading and to begin again are two calls of the system.
        boolean holdsSome = holding && !held.isEmpty();
        peer.reading(!holdsSome && !full);
        if (full && !waitingForRoom) {
            waitingForRoom = true;
            inFlight.whenRoom(() -> executor.execute(() -> {
                waitingForRoom = false;
                readOn();
            }));
        }
    }

    /** Counts a change that was taken in, and its bytes. */
    public void taken(int bytes) {
        unanswered++;
        inFlight.add(bytes);
    }

    /** The change is where it belongs, and its reply is queued. */
    public void written(int bytes) {
        unanswered--;
        inFlight.remove(bytes);
        closeIfAnswered();
    }

    /** The client speaks protocol 2 and is told why before its connection is closed. */
    public void negotiated(String clientName) {
        negotiated = true;
        client = clientName;
    }

    /** The client has shown who it is. */
    public void loggedIn(String userName) {
        user = userName;
    }

    /** The user that logged in; empty if none has. */
    public String user() {
        return user;
    }

    /** Counts a login that was refused; returns how many there have been. */
    public int loginRefused() {
        return ++refusedLogins;
    }

    boolean negotiated() {
        return negotiated;
    }

    /** Where the connection arrived. */
    public InetSocketAddress local() {
        return peer.localAddress();
    }

    public SocketAddress peer() {
        return peer.address();
    }

    /** Answers the changes that are under way, then closes. A get that waits at the end of its partition is not waited for. */
    public void close() {
        closing = true;
        closeIfAnswered();
    }

    /**
     * As {@link #close()}, at the client's wish: what the connection had is free before it ends, so that whoever sees the
     * end can have it.
     */
    public void leave() {
        runOnClose();
        close();
    }

    private void closeIfAnswered() {
        if (closing && unanswered == 0 && !holding && held.isEmpty()) {
            peer.closeWhenSent();
        }
    }

    /** Runs {@code action} when the connection is gone; at once if it is already. */
    public void onClose(Runnable action) {
        if (peer.open()) {
            onClose.add(action);
        } else {
            action.run();
        }
    }

    /** The connection is gone. On the event loop. */
    public void closed() {
        for (Request request = held.poll(); request != null; request = held.poll()) {
            request.release();
        }
        runOnClose();
    }

    private void runOnClose() {
        List<Runnable> actions = List.copyOf(onClose);
        onClose.clear();
        actions.forEach(Runnable::run);
    }

    @Override
    public String toString() {
        return client.isEmpty() ? String.valueOf(peer()) : peer() + " (" + client + ")";
    }
}
