package io.metaq.broker.http;

import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.net.EventLoops;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.TreeSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The HTTP interface: the admin port and the connections that came by it. */
public final class HttpServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);
    private static final int MOST_WAITING_WORK = 256;

    /** Refused connections that are given time to read why; those beyond are closed at once, so that they cost nothing. */
    private static final int MOST_REFUSALS = 256;

    private final BrokerConfig config;
    private final EventLoops eventLoops;
    private final Router router;
    private final Gate gate;
    private final BodyCollector.Buffered buffered;
    private final ThreadPoolExecutor workers;
    private final ChannelGroup connections = new DefaultChannelGroup("http", GlobalEventExecutor.INSTANCE);
    private final ChannelGroup refused = new DefaultChannelGroup("http refused", GlobalEventExecutor.INSTANCE);
    private final Channel server;

    /**
     * Listens at the configuration's admin port.
     *
     * @param tls null for plain HTTP
     * @throws IOException if the address cannot be listened on
     */
    public static HttpServer open(HttpParts parts, EventLoops eventLoops, @Nullable SslContext tls) throws IOException {
        return new HttpServer(parts, eventLoops, tls);
    }

    private HttpServer(HttpParts parts, EventLoops eventLoops, @Nullable SslContext tls) throws IOException {
        this.config = parts.config();
        this.eventLoops = eventLoops;
        this.router = new Router(Routes.of(parts));
        this.gate = new Gate(config.admin());
        this.buffered = new BodyCollector.Buffered(
                Math.max(config.maxInFlightBytes(), config.admin().maxBodySize()));
        int threads = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        this.workers = new ThreadPoolExecutor(
                threads, threads, 10, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MOST_WAITING_WORK), work -> {
                    Thread thread = new Thread(work, "metaq-http");
                    thread.setDaemon(true);
                    return thread;
                });
        workers.allowCoreThreadTimeOut(true);
        this.server = eventLoops.bind(
                new InetSocketAddress(config.admin().host(), config.admin().port()),
                "adminPort or adminHost",
                channel -> accept(channel, tls));
    }

    private void accept(Channel channel, @Nullable SslContext tls) {
        if (connections.size() >= config.admin().maxConnections()) {
            LOG.warn(
                    "HTTP connection of {} closed: {} connections are open, the limit (adminMaxConnections)",
                    channel.remoteAddress(),
                    config.admin().maxConnections());
            refuse(channel, tls != null);
            return;
        }
        connections.add(channel);
        channel.config().setAutoRead(false);
        HttpConnection connection = new HttpConnection(this, channel);
        if (tls != null) {
            channel.pipeline().addLast(tls.newHandler(channel.alloc()));
        }
        channel.pipeline()
                .addLast(new IdleStateHandler(
                        true,
                        config.connectionIdleTimeout(),
                        config.admin().requestTimeout(),
                        0,
                        TimeUnit.MILLISECONDS))
                .addLast(new Arrivals(connection))
                .addLast(new HttpServerCodec(new HttpDecoderConfig()
                        .setMaxInitialLineLength(config.maxLineSize())
                        .setMaxHeaderSize(config.maxLineSize())
                        .setMaxChunkSize(64 << 10)))
                .addLast(new OneByOne())
                .addLast(connection);
    }

    private void refuse(Channel channel, boolean encrypted) {
        if (encrypted) {
            channel.close();
        } else if (refused.size() >= MOST_REFUSALS) {
            channel.writeAndFlush(Refusal.answer()).addListener(ChannelFutureListener.CLOSE);
        } else {
            refused.add(channel);
            channel.pipeline().addLast(new Refusal(channel));
        }
    }

    /** Tells a connection that bytes came, be they a request or not yet. */
    private static final class Arrivals extends ChannelInboundHandlerAdapter {
        private final HttpConnection connection;

        Arrivals(HttpConnection connection) {
            this.connection = connection;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            connection.bytesCame();
            context.fireChannelRead(message);
        }
    }

    /** Answers OPTIONS, by which browsers ask what a page may; false if the request is another. */
    boolean preflight(HttpRequest request, String path, HttpConnection connection) {
        if (!request.method().equals(HttpMethod.OPTIONS)) {
            return false;
        }
        TreeSet<String> allowed = router.allowed(path);
        if (allowed.isEmpty()) {
            router.match(HttpMethod.OPTIONS, path);
        }
        HttpReply reply = HttpReply.noContent().header(HttpHeaderNames.ALLOW, String.join(", ", allowed));
        if (gate.origin(request.headers()) != null) {
            reply.header(HttpHeaderNames.ACCESS_CONTROL_ALLOW_METHODS, String.join(", ", allowed))
                    .header(
                            HttpHeaderNames.ACCESS_CONTROL_ALLOW_HEADERS,
                            "Authorization, Content-Type, " + String.join(", ", Routes.REQUEST_HEADERS))
                    .header(HttpHeaderNames.ACCESS_CONTROL_MAX_AGE, "600");
        }
        connection.sendEarly(reply);
        return true;
    }

    BrokerConfig config() {
        return config;
    }

    EventLoops eventLoops() {
        return eventLoops;
    }

    Router router() {
        return router;
    }

    Gate gate() {
        return gate;
    }

    BodyCollector.Buffered buffered() {
        return buffered;
    }

    Executor workers() {
        return workers;
    }

    public int port() {
        return ((InetSocketAddress) server.localAddress()).getPort();
    }

    public int connections() {
        return connections.size();
    }

    /** Takes no further connection and no further request; what is under way is answered. */
    public void stopAccepting() {
        server.close().awaitUninterruptibly();
        for (Channel channel : connections) {
            HttpConnection connection = channel.pipeline().get(HttpConnection.class);
            if (connection != null) {
                channel.eventLoop().execute(connection::stop);
            }
        }
    }

    /** Closes every connection. */
    @Override
    public void close() {
        server.close().awaitUninterruptibly();
        refused.close();
        connections.close().awaitUninterruptibly(5, TimeUnit.SECONDS);
        workers.shutdownNow();
    }
}
