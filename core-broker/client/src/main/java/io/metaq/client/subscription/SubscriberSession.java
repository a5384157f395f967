package io.metaq.client.subscription;

import io.metaq.client.net.CallerLoop;
import io.metaq.client.net.Link;
import io.metaq.client.net.NetworkFailure;
import io.metaq.client.net.NetworkFailure.Kind;
import io.metaq.client.net.ReplyHandler;
import io.metaq.client.net.ServerInfo;
import io.metaq.protocol.Request;
import io.metaq.protocol.Response;
import io.metaq.protocol.Status;
import io.metaq.protocol.TransactionKey;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A subscriber. All state belongs to one network thread; other threads leave tasks there, or notes with a {@link ConsumerSeat}.
 *
 * <p>States: {@code CONNECTING} to {@code RESTORING} when there is a connection to {@code READY} when everything is there again; from
 * both back to {@code CONNECTING} when the connection is lost. {@code FAILED} when there will be none any more; {@code CLOSED} for good.
 * Calls that come before {@code READY} wait.
 */
final class SubscriberSession implements SubscriberLink, ServerRing.Owner {
    private static final Logger LOG = LoggerFactory.getLogger(SubscriberSession.class);

    /** How long a broker has to take the last acknowledgements and to end the connection. */
    private static final long CLOSE_PATIENCE_MS = 1_000;

    private static final long BUSY_PAUSE_MS = 100;

    private static final NetworkFailure CLOSED = new NetworkFailure(Kind.CLOSED, "the subscriber is closed", null);

    private enum State {
        CONNECTING,
        RESTORING,
        READY,
        FAILED,
        CLOSED
    }

    private final SubscriberHost host;
    private final SubscriberListener listener;
    private final EventLoop loop;
    private final ServerRing ring;
    private final Transactions transactions = new Transactions();
    private final CompletableFuture<@Nullable Void> ready = new CompletableFuture<>();
    private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
    private final AtomicInteger consumerIds = new AtomicInteger();
    private final Queue<ConsumerSeat> dirty = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean flushScheduled = new AtomicBoolean();
    private final AtomicBoolean consumes = new AtomicBoolean();
    private final Map<Integer, ConsumerSeat> seats = new LinkedHashMap<>();
    private final Map<String, Boolean> temporaries = new LinkedHashMap<>();
    private final WaitingCalls waiting = new WaitingCalls();

    private volatile int brokerId = -1;
    private State state = State.CONNECTING;
    private @Nullable String clientId;
    private @Nullable Link link;
    private @Nullable InetSocketAddress server;
    private @Nullable Restoration restoration;
    private boolean anyFailure;
    private boolean readyIsDue;
    private NetworkFailure lastFailure = new NetworkFailure(Kind.TIMED_OUT, "no broker answered", null);
    private RuntimeException failedWith = new IllegalStateException("not failed");

    SubscriberSession(SubscriberHost host, SubscriberListener listener) {
        this.host = host;
        this.listener = new GuardedListener(listener);
        this.loop = host.transport().anyLoop();
        this.ring = new ServerRing(loop, host, this);
    }

    void start() {
        loop.execute(ring::start);
        loop.schedule(this::checkReady, host.requestTimeoutMs(), TimeUnit.MILLISECONDS);
    }

    /** An attempt that is under way may end well yet: a login takes its time. */
    private void checkReady() {
        readyIsDue = true;
        if (!ready.isDone() && state != State.CLOSED && anyFailure) {
            failForGood(host.network("connecting", lastFailure, server));
        }
    }

    @Override
    public CompletableFuture<@Nullable Void> ready() {
        return ready.copy();
    }

    @Override
    public int brokerId() {
        return brokerId;
    }

    @Override
    public CompletableFuture<@Nullable Void> claimClientId(String id) {
        Call call = Call.repeated("client id " + id, opaque -> new Request.ClientId(id, opaque));
        return submitted(call.before(text -> clientId = id)).whenDone();
    }

    @Override
    public CompletableFuture<AttachedConsumer> attach(Attachment spec, DeliveryHandler handler) {
        if (consumes.compareAndSet(false, true)) {
            CallerLoop.expectUnasked(loop);
        }
        ConsumerSeat seat = new ConsumerSeat(this, consumerIds.incrementAndGet(), spec, handler);
        Call call = Call.repeated("attaching to " + spec.name(), seat::attachRequest);
        call.before(text -> {
            seats.put(seat.id(), seat);
            seat.attached();
        });
        return submitted(call).done.thenApply(text -> seat);
    }

    @Override
    public CompletableFuture<@Nullable Void> createTemporary(String name, boolean queue) {
        Call call = DestinationCalls.createTemporary(name, queue);
        return submitted(call.before(text -> temporaries.put(name, queue))).whenDone();
    }

    @Override
    public CompletableFuture<@Nullable Void> deleteTemporary(String name) {
        Call call = DestinationCalls.delete(name);
        return submitted(call.before(text -> temporaries.remove(name))).whenDone();
    }

    @Override
    public CompletableFuture<@Nullable Void> ensureDestination(String name, boolean queue) {
        return submitted(DestinationCalls.ensure(name, queue)).whenDone();
    }

    @Override
    public CompletableFuture<@Nullable Void> deleteSubscription(String name) {
        return submitted(DestinationCalls.deleteSubscription(name)).whenDone();
    }

    @Override
    public CompletableFuture<@Nullable Void> transact(TransactionParts parts) {
        byte[] body = TransactionBody.encode(parts);
        return sentIfShort(transactions.transact(body), body.length).whenDone();
    }

    @Override
    public CompletableFuture<Integer> enlist(Enlistment step) {
        byte[] body = TransactionBody.encode(step.parts());
        return sentIfShort(transactions.enlist(step, body), body.length).done.thenApply(Transactions::result);
    }

    private Call sentIfShort(Call call, int length) {
        if (length <= transactions.maxBody()) {
            return submitted(call);
        }
        String text = "the transaction has " + length + " bytes, the broker takes " + transactions.maxBody();
        call.fail(host.status(call.what, Status.TOO_LARGE.code(), text, server));
        return call;
    }

    @Override
    public CompletableFuture<Integer> transaction(TransactionKey key, TransactionStep step) {
        return submitted(transactions.step(key, step)).done.thenApply(Transactions::result);
    }

    @Override
    public CompletableFuture<List<TransactionKey.Xa>> recover(@Nullable String uniqueQualifier) {
        return submitted(transactions.recover(uniqueQualifier)).done.thenApply(Transactions::keys);
    }

    @Override
    public <T> CompletableFuture<T> settled(Supplier<CompletableFuture<T>> call, Duration patience) {
        return CallerLoop.settled(loop, call, patience);
    }

    @Override
    public int maxTransactionBytes() {
        return transactions.maxBody();
    }

    @Override
    public String resourceManagerId() {
        return transactions.resourceManager();
    }

    /** A call that concerns the whole link: behind everything that consumers were told before. */
    private Call submitted(Call call) {
        run(
                () -> {
                    flush();
                    submit(call);
                },
                call);
        return call;
    }

    private void run(Runnable task, Call call) {
        try {
            if (loop.inEventLoop()) {
                task.run();
            } else {
                loop.execute(task);
            }
        } catch (RejectedExecutionException e) {
            call.fail(host.network(call.what, CLOSED, server));
        }
    }

    /** Says that a consumer has something to be sent. Any thread. */
    void flushSoon(ConsumerSeat seat) {
        if (seat.becomesDirty()) {
            dirty.add(seat);
        }
        if (flushScheduled.compareAndSet(false, true)) {
            try {
                loop.execute(this::flush);
            } catch (RejectedExecutionException e) {
                LOG.trace("the client is closed", e);
                seat.failAll(host.network("a call", CLOSED, server));
            }
        }
    }

    private void flush() {
        flushScheduled.set(false);
        for (ConsumerSeat seat = dirty.poll(); seat != null; seat = dirty.poll()) {
            seat.flush();
        }
    }

    /** Sends the call, or keeps it until there is a connection. */
    void submit(Call call) {
        if (call.deadlineNanos == 0) {
            call.deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(host.callTimeoutMs());
        }
        Link open = link;
        if (state == State.CLOSED) {
            call.fail(host.network(call.what, CLOSED, server));
        } else if (state == State.FAILED) {
            call.fail(failedWith);
        } else if (state == State.READY && open != null) {
            send(call, open);
        } else if (call.isRepeated()) {
            waitForConnection(call);
        } else {
            call.lost();
        }
    }

    private void send(Call call, Link open) {
        if (!transactions.offers(call)) {
            call.fail(host.status(
                    call.what, Status.NOT_SUPPORTED.code(), "this broker has no transactions of this kind", server));
            return;
        }
        String objection = transactions.objection(call, brokerId);
        if (objection != null) {
            call.fail(unfinished(call, objection));
            return;
        }
        transactions.sending(call, brokerId);
        open.call(call.request, Math.max(1, leftMs(call)), new ReplyHandler() {
            @Override
            public void reply(Response response) {
                answered(call, response);
            }

            @Override
            public void failed(NetworkFailure failure) {
                unanswered(call, failure);
            }
        });
    }

    private static long leftMs(Call call) {
        return TimeUnit.NANOSECONDS.toMillis(call.deadlineNanos - System.nanoTime());
    }

    private void answered(Call call, Response response) {
        if (!(response instanceof Response.Result result)) {
            response.release();
            call.fail(host.status(call.what, Status.FAILED.code(), "the broker answered with data", server));
        } else if (call.isSuccess(result)) {
            call.succeed(result.text());
        } else if (result.status() == Status.BUSY && leftMs(call) > BUSY_PAUSE_MS) {
            loop.schedule(() -> submit(call), BUSY_PAUSE_MS, TimeUnit.MILLISECONDS);
        } else if (call.isDoubtful(result)) {
            call.fail(unfinished(call, "after a lost answer the broker says " + result.text()));
        } else {
            call.fail(host.status(call.what, result.code(), result.text(), server));
        }
    }

    private void unanswered(Call call, NetworkFailure failure) {
        boolean lost = failure.kind() == Kind.LOST || failure.kind() == Kind.UNREACHABLE;
        call.maybeDone |= failure.maybeDone();
        if (failure.kind() == Kind.TIMED_OUT && !call.isRepeated()) {
            // It must have its effect before anything else goes on, and the end of the connection has the same.
            distrust("no answer to " + call.what);
            call.lost();
        } else if (!lost || state == State.CLOSED || state == State.FAILED) {
            call.fail(host.network(call.what, failure, server));
        } else if (!call.isRepeated()) {
            call.lost();
        } else if (leftMs(call) <= 0) {
            call.fail(host.network(call.what, failure, server));
        } else {
            waitForConnection(call);
        }
    }

    private void waitForConnection(Call call) {
        waiting.add(call);
        loop.schedule(
                () -> {
                    if (leftMs(call) <= 0 && waiting.remove(call)) {
                        call.fail(unfinished(call, lastFailure.text()));
                    }
                },
                leftMs(call) + 1,
                TimeUnit.MILLISECONDS);
    }

    /** Nobody will tell what became of the call. */
    private RuntimeException unfinished(Call call, String why) {
        Kind kind = call.maybeDone ? Kind.LOST : Kind.UNREACHABLE;
        return host.network(call.what, new NetworkFailure(kind, why, lastFailure.cause()), server);
    }

    /** Sends what has no answer. */
    void tell(Request request) {
        Link open = link;
        if (open != null) {
            open.tell(request);
        } else {
            request.release();
        }
    }

    void forget(ConsumerSeat seat) {
        seats.remove(seat.id());
    }

    List<ConsumerSeat> seats() {
        return List.copyOf(seats.values());
    }

    Map<String, Boolean> temporaries() {
        return temporaries;
    }

    @Nullable
    String clientId() {
        return clientId;
    }

    /** What cannot be trusted any more is begun anew. */
    void distrust(String why) {
        Link open = link;
        if (open != null) {
            open.reset(why);
        }
    }

    @Override
    public void connected(Link fresh, ServerInfo info, InetSocketAddress address) {
        server = address;
        if (!info.offers("subscription")) {
            failForGood(host.status(
                    "a subscriber", Status.NOT_SUPPORTED.code(), "this broker has no subscriptions", address));
            return;
        }
        brokerId = info.brokerId();
        transactions.connected(info);
        host.connected(brokerId, address);
        link = fresh;
        state = State.RESTORING;
        restoration = new Restoration(this, fresh, loop, host);
        restoration.start();
    }

    boolean isCurrent(Restoration asking) {
        return restoration == asking;
    }

    /** Everything is there again. */
    void restored() {
        restoration = null;
        state = State.READY;
        boolean first = ready.complete(null);
        seats().forEach(ConsumerSeat::attachedAgain);
        waiting.takeAll().forEach(this::submit);
        if (!first) {
            listener.resumed();
        }
    }

    @Override
    public void disconnected(NetworkFailure failure, @Nullable InetSocketAddress address) {
        boolean wasReady = state == State.READY;
        link = null;
        restoration = null;
        lastFailure = failure;
        anyFailure = true;
        if (state == State.CLOSED) {
            ended.complete(null);
        } else if (failure.kind() == Kind.REFUSED || (readyIsDue && !ready.isDone() && state != State.FAILED)) {
            failForGood(host.network("connecting", failure, address));
        } else if (state != State.FAILED) {
            state = State.CONNECTING;
            if (wasReady) {
                seats().forEach(ConsumerSeat::connectionLost);
                listener.interrupted(host.network("the connection of a subscriber", failure, address));
            }
        }
    }

    /** There will be no connection any more. */
    void failForGood(RuntimeException cause) {
        state = State.FAILED;
        failedWith = cause;
        restoration = null;
        ring.cut();
        boolean first = ready.completeExceptionally(cause);
        waiting.takeAll().forEach(call -> call.fail(cause));
        if (!first) {
            listener.failed(cause);
        }
    }

    @Override
    public void unasked(Response.Unasked frame) {
        try {
            ConsumerSeat seat = seats.get(frame.consumer());
            if (seat == null) {
                return;
            }
            if (frame instanceof Response.Deliveries deliveries) {
                seat.deliver(deliveries);
            } else if (frame instanceof Response.Detached detached) {
                seat.endedByBroker(detached.text());
            }
        } finally {
            frame.release();
        }
    }

    @Override
    public void close() {
        try {
            loop.execute(this::closeOnLoop);
        } catch (RejectedExecutionException e) {
            LOG.trace("the client was closed before", e);
            return;
        }
        if (host.transport().onNetworkThread()) {
            return;
        }
        try {
            ended.get(2 * CLOSE_PATIENCE_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("a subscriber does not end", e);
        }
    }

    /** Says good-bye, so that the broker has everything before it sees the end, and the client id is free when this returns. */
    private void closeOnLoop() {
        if (state == State.CLOSED) {
            return;
        }
        flush();
        boolean polite = state == State.READY;
        state = State.CLOSED;
        if (consumes.getAndSet(true)) {
            CallerLoop.expectUnaskedNoMore(loop);
        }
        RuntimeException closed = host.network("a call", CLOSED, server);
        ready.completeExceptionally(closed);
        waiting.takeAll().forEach(call -> call.fail(host.network(call.what, CLOSED, server)));
        seats.clear();
        if (polite) {
            ring.stop();
            tell(new Request.Quit(Request.NO_OPAQUE));
            loop.schedule(this::endNow, CLOSE_PATIENCE_MS, TimeUnit.MILLISECONDS);
            ended.thenRun(() -> host.closed(this));
        } else {
            endNow();
            host.closed(this);
        }
    }

    private void endNow() {
        ring.cut();
        ended.complete(null);
    }
}
