package io.metaq.broker.http;

import io.metaq.protocol.Response;
import io.metaq.protocol.Status;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.handler.timeout.IdleState;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection: one request at a time, answered before the next one is read, however many are sent ahead. A request is looked at
 * before its body is read. What cannot be understood, or takes too long, costs this connection.
 *
 * <pre>
 * WAITING ── head ──▶ CHECKING ── may go on ──▶ BODY ── whole ──▶ ANSWERING ── sent ──▶ WAITING
 *                        └─────── refused ────────┴──────────────────┴── with its body unread ──▶ LEAVING
 * </pre>
 */
final class HttpConnection extends ChannelInboundHandlerAdapter implements Calls.Owner {
    private static final Logger LOG = LoggerFactory.getLogger(HttpConnection.class);

    private enum Phase {
        WAITING,
        CHECKING,
        BODY,
        ANSWERING,
        LEAVING
    }

    private final HttpServer server;
    private final Channel channel;
    private final Calls calls;
    private final LeaveTaking leaving;
    private Phase phase = Phase.WAITING;
    private boolean mayRead = true;
    private boolean writing;
    private boolean stopping;
    private boolean leaveBehindStream;
    private @Nullable HttpRequest request;
    private @Nullable Exchange exchange;
    private @Nullable BodyCollector collector;
    private @Nullable Future<?> deadline;

    @SuppressWarnings("this-escape") // the calls do not use their owner before the first request
    HttpConnection(HttpServer server, Channel channel) {
        this.server = server;
        this.channel = channel;
        this.calls = new Calls(server.eventLoops(), channel.eventLoop(), this);
        this.leaving = new LeaveTaking(channel);
    }

    Calls calls() {
        return calls;
    }

    Channel channel() {
        return channel;
    }

    /** Runs on the event loop, soon. Nothing happens when the broker has stopped. */
    void execute(Runnable action) {
        try {
            channel.eventLoop().execute(action);
        } catch (RejectedExecutionException e) {
            LOG.debug("{}: the broker has stopped", this);
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        context.read();
    }

    /** Bytes came: a request has so long to be whole from its first one on. */
    void bytesCame() {
        if (deadline == null && (phase == Phase.WAITING || phase == Phase.BODY)) {
            deadline = channel.eventLoop()
                    .schedule(this::tooSlow, server.config().admin().requestTimeout(), TimeUnit.MILLISECONDS);
        }
    }

    private void tooSlow() {
        deadline = null;
        if (phase == Phase.WAITING || phase == Phase.BODY) {
            refuse(HttpFailure.of(
                    HttpResponseStatus.REQUEST_TIMEOUT,
                    Status.TIMEOUT,
                    "the request did not arrive whole within "
                            + server.config().admin().requestTimeout() + " ms (adminRequestTimeout)"));
        }
    }

    private void whole() {
        if (deadline != null) {
            deadline.cancel(false);
            deadline = null;
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (phase == Phase.LEAVING) {
            leaving.passOver(message);
            context.read();
        } else if (message instanceof HttpRequest head && phase == Phase.WAITING) {
            head(head);
            ReferenceCountUtil.release(message);
        } else if (message instanceof HttpContent content && phase == Phase.BODY) {
            content(content);
        } else {
            ReferenceCountUtil.release(message);
            context.read();
        }
    }

    private void head(HttpRequest head) {
        request = head;
        phase = Phase.CHECKING;
        bytesCame();
        if (head.decoderResult().isFailure()) {
            refuse(RequestFaults.of(head.decoderResult().cause()));
            return;
        }
        try {
            server.gate().check(head);
            String path = RequestFaults.path(head);
            if (server.preflight(head, path, this)) {
                return;
            }
            Router.Match match = server.router().match(head.method(), path);
            RequestFaults.check(head, match.route(), server.config().admin().maxBodySize());
            Query query = Query.of(head.uri(), match.route().query());
            exchange = new Exchange(head, match, query, this, server.workers());
            authenticate(head, match.route());
        } catch (HttpFailure e) {
            refuse(e);
        }
    }

    private void authenticate(HttpRequest head, Route route) {
        Authorization.check(head, route, server.config(), calls).whenComplete((done, failure) -> {
            if (phase != Phase.CHECKING) {
                return;
            } else if (failure != null) {
                refuse(failure(failure));
                return;
            }
            phase = Phase.BODY;
            // Its first bytes may have come with the request before it, when they started nothing.
            bytesCame();
            collector = new BodyCollector(server.config().admin().maxBodySize(), server.buffered());
            if (HttpUtil.is100ContinueExpected(head)) {
                channel.writeAndFlush(new DefaultFullHttpResponse(
                        HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER));
            }
            channel.read();
        });
    }

    private void content(HttpContent content) {
        try {
            if (content.decoderResult().isFailure()) {
                throw RequestFaults.of(content.decoderResult().cause());
            }
            collector().add(content.content());
            if (!(content instanceof LastHttpContent)) {
                channel.read();
                return;
            }
        } catch (HttpFailure e) {
            refuse(e);
            return;
        } finally {
            content.release();
        }
        whole();
        phase = Phase.ANSWERING;
        answer();
    }

    private BodyCollector collector() {
        return Objects.requireNonNull(collector);
    }

    private void answer() {
        Exchange asked = Objects.requireNonNull(exchange);
        BodyCollector body = collector();
        collector = null;
        asked.body(body.whole());
        CompletableFuture<HttpReply> reply;
        try {
            RequestFaults.noBodyUnless(asked.route().hasBody(), asked.body());
            reply = asked.route().endpoint().handle(asked);
        } catch (RuntimeException e) {
            reply = CompletableFuture.failedFuture(e);
        }
        reply.whenComplete((answer, failure) -> {
            asked.end();
            body.free();
            if (exchange != asked || !channel.isActive()) {
                return;
            } else if (failure == null && answer != HttpReply.STREAMED) {
                send(answer, false);
            } else if (failure == null) {
                sent(leaveBehindStream);
            } else if (writing) {
                // A part of an answer is out: only the end of the connection tells that it is not whole.
                LOG.warn(
                        "{}: an answer could not be finished: {}",
                        this,
                        failure(failure).text());
                channel.close();
            } else {
                send(failure(failure).reply(), false);
            }
        });
    }

    private HttpFailure failure(Throwable thrown) {
        Throwable cause =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (cause instanceof HttpFailure failure) {
            return failure;
        }
        LOG.error(
                "{} {} from {} failed",
                request == null ? "" : request.method(),
                request == null ? "" : request.uri(),
                this,
                cause);
        return HttpFailure.of(Status.FAILED, "the broker failed: " + cause + "; its log says more");
    }

    /** The body, or what is left of it, is not read as one: the connection ends behind the answer. */
    private void refuse(HttpFailure failure) {
        boolean bodyLeft = phase != Phase.CHECKING || request == null || RequestFaults.mayHaveBody(request);
        whole();
        if (collector != null) {
            collector.whole().release();
            collector.free();
            collector = null;
        }
        phase = Phase.ANSWERING;
        send(failure.reply(), bodyLeft);
    }

    /** Answers without having looked at the body. */
    void sendEarly(HttpReply reply) {
        whole();
        phase = Phase.ANSWERING;
        send(reply, request != null && RequestFaults.mayHaveBody(request));
    }

    private void send(HttpReply reply, boolean leave) {
        var response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, reply.status(), Unpooled.wrappedBuffer(reply.content()));
        response.headers().add(reply.headers());
        if (!reply.status().equals(HttpResponseStatus.NO_CONTENT)) {
            HttpUtil.setContentLength(response, reply.content().length);
        }
        boolean keep = headers(response, leave);
        writing = true;
        channel.writeAndFlush(response).addListener(written -> sent(!keep));
    }

    /** Fills in what every answer has; whether the connection stays behind it. */
    private boolean headers(HttpResponse response, boolean leave) {
        HttpRequest asked = request;
        boolean keep = !leave && !stopping && asked != null && HttpUtil.isKeepAlive(asked);
        HttpUtil.setKeepAlive(response.headers(), asked == null ? HttpVersion.HTTP_1_1 : asked.protocolVersion(), keep);
        response.headers().set(HttpHeaderNames.CACHE_CONTROL, "no-store").set("X-Content-Type-Options", "nosniff");
        String origin = asked == null ? null : server.gate().origin(asked.headers());
        if (origin != null) {
            response.headers()
                    .set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_ORIGIN, origin)
                    .set(HttpHeaderNames.VARY, HttpHeaderNames.ORIGIN);
        }
        return keep;
    }

    /** An answer is going to be written piece by piece, with that head. */
    void streaming(HttpResponse response, boolean leave) {
        writing = true;
        leaveBehindStream = !headers(response, leave);
    }

    private void sent(boolean leave) {
        writing = false;
        exchange = null;
        request = null;
        if (!channel.isActive()) {
            return;
        } else if (leave || stopping) {
            phase = Phase.LEAVING;
            leaving.begin();
            return;
        }
        phase = Phase.WAITING;
        readOn();
    }

    private void readOn() {
        if (mayRead && phase == Phase.WAITING) {
            channel.read();
        }
    }

    /** Takes no further request. On the event loop. */
    void stop() {
        stopping = true;
        if (phase == Phase.WAITING) {
            channel.close();
        }
    }

    @Override
    public void reading(boolean on) {
        boolean again = on && !mayRead;
        mayRead = on;
        if (again) {
            readOn();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (channel.isWritable()) {
            calls.session().roomAgain();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        whole();
        leaving.end();
        if (collector != null) {
            collector.whole().release();
            collector.free();
            collector = null;
        }
        phase = Phase.LEAVING;
        exchange = null;
        calls.closed();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof IdleStateEvent idle) {
            boolean waiting = idle.state() == IdleState.READER_IDLE && phase == Phase.WAITING;
            // The first event says that no write was finished for so long, a further one that nothing has moved since.
            boolean stuck = idle.state() == IdleState.WRITER_IDLE && !idle.isFirst() && unsent();
            if (waiting || stuck) {
                LOG.debug("{} closed: {}", this, stuck ? "it does not take its answer" : "nothing came for too long");
                context.close();
            }
        } else if (event instanceof SslHandshakeCompletionEvent handshake && !handshake.isSuccess()) {
            LOG.warn("connection of {} closed: no TLS with it", this);
            context.close();
        }
    }

    /** Whether bytes wait for the client to take them. A stream that waits for messages has none. */
    private boolean unsent() {
        ChannelOutboundBuffer outbound = channel.unsafe().outboundBuffer();
        return outbound != null && !outbound.isEmpty();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable thrown) {
        if (thrown instanceof IOException) {
            LOG.debug("connection of {} lost: {}", this, thrown.getMessage());
        } else {
            LOG.warn("connection of {} closed: {}", this, String.valueOf(thrown.getMessage()));
        }
        context.close();
    }

    @Override
    public boolean open() {
        return channel.isActive();
    }

    @Override
    public SocketAddress address() {
        return channel.remoteAddress();
    }

    @Override
    public InetSocketAddress localAddress() {
        return (InetSocketAddress) channel.localAddress();
    }

    /** The connection's own session has no consumers. */
    @Override
    public void delivered(Response.Deliveries messages) {
        messages.release();
    }

    @Override
    public void detached(int consumer, String reason) {}

    @Override
    public String toString() {
        return address() + " (HTTP)";
    }
}
