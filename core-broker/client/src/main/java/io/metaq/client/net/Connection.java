package io.metaq.client.net;

import io.metaq.client.net.NetworkFailure.Kind;
import io.metaq.protocol.Limits;
import io.metaq.protocol.Request;
import io.metaq.protocol.Response;
import io.metaq.protocol.Status;
import io.metaq.protocol.codec.RequestEncoder;
import io.metaq.protocol.codec.ResponseDecoder;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One TCP connection from its attempt to its end: connects, negotiates, logs in, carries requests, sends heartbeats in silence. Its end
 * is told once. Belongs to its event loop.
 */
final class Connection {

    /** Told once each, {@code ready} possibly never. */
    interface Owner {
        void ready(ServerInfo info);

        /** A frame that answers nothing; whoever takes it releases it. */
        void unasked(Response.Unasked frame);

        void ended(NetworkFailure failure);
    }

    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);
    private static final int MAX_LINE = 64 * 1024;
    private static final int PROTOCOL = 2;
    private static final long TICK_MS = 50;

    /** To check a password is made to be slow, and a broker that many log in to at once takes one after the other. */
    private static final long LOGIN_TIMEOUT_MS = 15_000;

    private final EventLoop loop;
    private final String host;
    private final int port;
    private final LinkSettings settings;
    private final Owner owner;
    private final PendingReplies pending = new PendingReplies();
    private @Nullable Channel channel;
    private @Nullable ScheduledFuture<?> tick;
    private long lastRead;
    private boolean probing;
    private boolean flushPending;
    private boolean ended;

    private Connection(EventLoop loop, String host, int port, LinkSettings settings, Owner owner) {
        this.loop = loop;
        this.host = host;
        this.port = port;
        this.settings = settings;
        this.owner = owner;
    }

    static Connection open(EventLoop loop, String host, int port, LinkSettings settings, Owner owner) {
        Connection connection = new Connection(loop, host, port, settings, owner);
        // Not at once: the owner has to know the connection before it hears of its end.
        loop.execute(() -> connection.connect(LocalAddresses.candidates(host, port, settings.preferLoopback())));
        return connection;
    }

    private void connect(List<InetSocketAddress> candidates) {
        if (ended) {
            return;
        }
        ChannelFuture attempt = new Bootstrap()
                .group(loop)
                .channel(NetworkThreads.channelType())
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, settings.connectTimeoutMs())
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel fresh) {
                        encrypt(fresh);
                        fresh.pipeline()
                                .addLast(new ResponseDecoder(new Limits(MAX_LINE, settings.maxBody())))
                                .addLast(new RequestEncoder())
                                .addLast(new Inbound());
                    }
                })
                .connect(candidates.get(0));
        channel = attempt.channel();
        attempt.addListener(done -> {
            if (done.isSuccess()) {
                negotiate();
            } else if (candidates.size() > 1) {
                connect(candidates.subList(1, candidates.size()));
            } else {
                fail(new NetworkFailure(Kind.UNREACHABLE, reason(done.cause()), done.cause()));
            }
        });
    }

    /** The certificate has to name the host that was asked for, whichever way leads there. */
    private void encrypt(Channel fresh) {
        SslContext encryption = settings.encryption();
        if (encryption != null) {
            SslHandler tls = encryption.newHandler(fresh.alloc(), host, port);
            tls.setHandshakeTimeoutMillis(settings.connectTimeoutMs());
            fresh.pipeline().addLast(tls);
        }
    }

    private static String reason(@Nullable Throwable cause) {
        return cause == null || cause.getMessage() == null ? String.valueOf(cause) : cause.getMessage();
    }

    private void negotiate() {
        if (ended) {
            return;
        }
        lastRead = System.nanoTime();
        tick = loop.scheduleAtFixedRate(this::tick, TICK_MS, TICK_MS, TimeUnit.MILLISECONDS);
        IntFunction<Request> hello = opaque -> new Request.Version(opaque, PROTOCOL, settings.clientName());
        send(hello, settings.requestTimeoutMs(), new ReplyHandler() {
            @Override
            public void reply(Response response) {
                negotiated(response);
            }

            @Override
            public void failed(NetworkFailure failure) {
                fail(new NetworkFailure(
                        Kind.UNREACHABLE, "no answer to 'version': " + failure.text(), failure.cause()));
            }
        });
    }

    private void negotiated(Response response) {
        try {
            if (response instanceof Response.Result result && result.ok()) {
                logIn(ServerInfo.parse(result.text()));
            } else {
                fail(new NetworkFailure(Kind.UNREACHABLE, "refused 'version': " + response, null));
            }
        } catch (NumberFormatException e) {
            fail(new NetworkFailure(Kind.UNREACHABLE, "unreadable answer to 'version': " + response, e));
        } finally {
            response.release();
        }
    }

    /** A broker that knows no logins serves everybody. */
    private void logIn(ServerInfo info) {
        LinkSettings.Credentials login = settings.login();
        if (login == null && info.loginRequired()) {
            fail(new NetworkFailure(Kind.REFUSED, "the broker asks for a user and a password", null));
        } else if (login == null || !info.offers("login")) {
            owner.ready(info);
        } else {
            IntFunction<Request> request = opaque -> new Request.Login(login.user(), login.password(), opaque);
            send(request, Math.max(LOGIN_TIMEOUT_MS, settings.requestTimeoutMs()), new LoginReply(info, login));
        }
    }

    private final class LoginReply implements ReplyHandler {
        private final ServerInfo info;
        private final LinkSettings.Credentials login;

        LoginReply(ServerInfo info, LinkSettings.Credentials login) {
            this.info = info;
            this.login = login;
        }

        @Override
        public void reply(Response response) {
            response.release();
            if (response instanceof Response.Result result && result.ok()) {
                owner.ready(info);
            } else if (response instanceof Response.Result result && result.status() == Status.UNAUTHORIZED) {
                fail(new NetworkFailure(Kind.REFUSED, "user " + login + " is refused: " + result.text(), null));
            } else {
                fail(new NetworkFailure(Kind.UNREACHABLE, "no login: " + response, null));
            }
        }

        @Override
        public void failed(NetworkFailure failure) {
            fail(new NetworkFailure(Kind.UNREACHABLE, "no answer to 'login': " + failure.text(), failure.cause()));
        }
    }

    /** Writes a request that has no answer, if there is a connection. */
    void tell(Request request) {
        Channel open = channel;
        if (open == null || ended) {
            request.release();
            return;
        }
        open.write(request);
        flushSoon();
    }

    /** Writes a request; several written in one turn of the loop leave with one flush. */
    void send(IntFunction<Request> request, long timeoutMs, ReplyHandler handler) {
        Channel open = channel;
        if (open == null || ended) {
            handler.failed(new NetworkFailure(Kind.UNREACHABLE, "the connection has ended", null));
            return;
        }
        int opaque = pending.add(handler, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs));
        open.write(request.apply(opaque)).addListener(written -> {
            if (!written.isSuccess()) {
                unsendable(opaque, written.cause());
            }
        });
        flushSoon();
    }

    private void flushSoon() {
        if (!flushPending) {
            flushPending = true;
            loop.execute(this::flush);
        }
    }

    private void flush() {
        flushPending = false;
        if (channel != null) {
            channel.flush();
        }
    }

    /** The broker never got the whole frame, so it cannot have acted on it, even if the connection broke in its middle. */
    private void unsendable(int opaque, @Nullable Throwable cause) {
        ReplyHandler handler = pending.remove(opaque);
        if (handler != null) {
            handler.failed(new NetworkFailure(Kind.UNREACHABLE, "could not be written: " + reason(cause), cause));
        }
    }

    private void tick() {
        long now = System.nanoTime();
        pending.expire(now, new NetworkFailure(Kind.TIMED_OUT, "no answer in time", null));
        long silentMs = TimeUnit.NANOSECONDS.toMillis(now - lastRead);
        if (silentMs >= settings.heartbeatMs() && !probing && !ended) {
            probe();
        }
    }

    private void probe() {
        probing = true;
        IntFunction<Request> heartbeat = opaque -> new Request.Version(opaque, null, null);
        send(heartbeat, settings.requestTimeoutMs(), new ReplyHandler() {
            @Override
            public void reply(Response response) {
                probing = false;
                response.release();
            }

            @Override
            public void failed(NetworkFailure failure) {
                fail(new NetworkFailure(Kind.LOST, "no answer to a heartbeat: " + failure.text(), failure.cause()));
            }
        });
    }

    /** Ends the connection and tells everybody who waits. */
    void fail(NetworkFailure failure) {
        if (!ended) {
            close(failure);
            owner.ended(failure);
        }
    }

    /** Like {@link #fail} without a word to the owner. */
    void close(NetworkFailure failure) {
        if (ended) {
            return;
        }
        ended = true;
        if (tick != null) {
            tick.cancel(false);
        }
        if (channel != null) {
            channel.close();
        }
        pending.failAll(
                failure.kind() == Kind.LOST ? failure : new NetworkFailure(Kind.LOST, failure.text(), failure.cause()));
    }

    private final class Inbound extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object msg) {
            lastRead = System.nanoTime();
            Response response = (Response) msg;
            if (ended) {
                response.release();
            } else if (response instanceof Response.Unasked frame) {
                owner.unasked(frame);
            } else {
                pending.reply(response);
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            fail(new NetworkFailure(Kind.LOST, "the broker closed the connection", null));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            LOG.debug("connection {} fails", ctx.channel(), cause);
            fail(new NetworkFailure(Kind.LOST, reason(cause), cause));
        }
    }
}
