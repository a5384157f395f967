package io.metaq.broker.http;

import io.metaq.broker.net.EventLoops;
import io.metaq.broker.net.Peer;
import io.metaq.broker.net.Session;
import io.metaq.log.partition.LogSlice;
import io.metaq.protocol.Request;
import io.metaq.protocol.Response;
import io.metaq.protocol.Status;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.EventExecutor;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.IntFunction;

/**
 * A session of the text protocol, used from within: asks, and gets what the handlers reply. On one event loop; answers complete there.
 * What is not answered when the session ends fails then, since some of it will never be: what waits for its turn is not looked at any more.
 */
final class Calls implements Peer {
    private final EventExecutor eventLoop;
    private final Owner owner;
    private final Session session;
    private final Map<Integer, CompletableFuture<Answer>> asked = new HashMap<>();
    private int lastOpaque;

    /** Whose session it is. */
    interface Owner {
        /** Any thread. */
        boolean open();

        SocketAddress address();

        InetSocketAddress localAddress();

        /** Whether more may be asked, by how much is under way in the broker. */
        void reading(boolean on);

        /** Messages for a consumer of the session. On the event loop. */
        void delivered(Response.Deliveries messages);

        /** The broker has ended a consumer of the session. On the event loop. */
        void detached(int consumer, String reason);
    }

    @SuppressWarnings("this-escape") // the session does not use its peer before it is asked something
    Calls(EventLoops eventLoops, EventExecutor eventLoop, Owner owner) {
        this.eventLoop = eventLoop;
        this.owner = owner;
        this.session = eventLoops.session(eventLoop, this);
    }

    Session session() {
        return session;
    }

    /** Asks, in order with what was asked before. */
    CompletableFuture<Answer> ask(IntFunction<Request> request) {
        lastOpaque = lastOpaque == Integer.MAX_VALUE - 1 ? 1 : lastOpaque + 1;
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        asked.put(lastOpaque, answer);
        session.received(request.apply(lastOpaque));
        return answer;
    }

    /** The session has ended. */
    void closed() {
        session.closed();
        List<CompletableFuture<Answer>> unanswered = List.copyOf(asked.values());
        asked.clear();
        HttpFailure gone = HttpFailure.of(Status.FAILED, "the connection has ended");
        unanswered.forEach(answer -> answer.completeExceptionally(gone));
    }

    private void answer(int opaque, Answer answer) {
        here(() -> {
            CompletableFuture<Answer> waiting = asked.remove(opaque);
            if (waiting != null) {
                waiting.complete(answer);
            }
        });
    }

    private void here(Runnable action) {
        if (eventLoop.inEventLoop()) {
            action.run();
            return;
        }
        try {
            eventLoop.execute(action);
        } catch (RejectedExecutionException e) {
            // The broker has stopped: nobody is left to be told.
            asked.clear();
        }
    }

    @Override
    public void result(Response.Result result) {
        Status status = result.status();
        answer(result.opaque(), new Answer.Text(status == null ? Status.FAILED : status, result.text()));
    }

    @Override
    public void result(Status status, byte[] body, int opaque) {
        answer(opaque, new Answer.Text(status, new String(body, StandardCharsets.UTF_8)));
    }

    @Override
    public void stored(long messageId, int partition, long offset, int opaque) {
        answer(opaque, new Answer.Stored(messageId, partition, offset));
    }

    @Override
    public void value(LogSlice slice, int opaque) throws IOException {
        byte[] bytes = new byte[slice.length()];
        try {
            ByteBuffer into = ByteBuffer.wrap(bytes);
            while (into.hasRemaining()) {
                if (slice.read(into, into.position()) < 0) {
                    throw new EOFException("partition log ends before its readable end");
                }
            }
        } finally {
            slice.release();
        }
        answer(opaque, new Answer.Slice(bytes));
    }

    @Override
    public void deliver(int consumer, int partition, long offset, int count, int delivery, ByteBuffer messages) {
        byte[] bytes = new byte[messages.remaining()];
        messages.get(bytes);
        ByteBuf body = Unpooled.wrappedBuffer(bytes);
        here(() -> owner.delivered(new Response.Deliveries(consumer, partition, offset, count, delivery, body)));
    }

    @Override
    public void detached(int consumer, String reason) {
        here(() -> owner.detached(consumer, reason));
    }

    /** Nothing is queued here. */
    @Override
    public void flush() {}

    @Override
    public boolean writable() {
        return true;
    }

    @Override
    public boolean open() {
        return owner.open();
    }

    @Override
    public void reading(boolean on) {
        owner.reading(on);
    }

    /** No request of HTTP asks for the end of a session. */
    @Override
    public void closeWhenSent() {}

    @Override
    public SocketAddress address() {
        return owner.address();
    }

    @Override
    public InetSocketAddress localAddress() {
        return owner.localAddress();
    }
}
