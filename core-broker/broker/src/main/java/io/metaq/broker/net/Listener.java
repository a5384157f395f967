package io.metaq.broker.net;

import io.metaq.protocol.Limits;
import io.metaq.protocol.codec.RequestDecoder;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.stream.ChunkedWriteHandler;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listening sockets and the connections that came by it. */
public final class Listener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Listener.class);

    private final ListenerConfig config;
    private final Dispatcher dispatcher;
    private final InFlight inFlight;
    private final ChannelGroup connections = new DefaultChannelGroup("connections", GlobalEventExecutor.INSTANCE);
    private final EventLoopGroup eventLoops;
    private final Map<EventExecutor, EventLoopReplies> replies = new IdentityHashMap<>();
    private final Channel server;
    private final @Nullable Channel tlsServer;

    /**
     * @param address where to listen; port 0 takes any free one
     * @param tls where to listen for TLS; null for nowhere
     * @param ioThreads threads that serve connections
     * @param idleTimeoutMs connections silent for longer are closed; 0 for never
     * @param maxInFlightBytes bytes of messages taken in and not yet written, over all connections
     */
    public record ListenerConfig(
            InetSocketAddress address,
            @Nullable TlsEndpoint tls,
            int ioThreads,
            int maxConnections,
            int idleTimeoutMs,
            long maxInFlightBytes,
            Limits limits) {}

    /**
     * A second address, at which TLS is spoken.
     *
     * @param address port 0 takes any free one
     */
    public record TlsEndpoint(InetSocketAddress address, SslContext context) {}

    /** @throws IOException if an address cannot be listened on */
    public static Listener open(ListenerConfig config, Dispatcher dispatcher) throws IOException {
        return new Listener(config, dispatcher);
    }

    private Listener(ListenerConfig config, Dispatcher dispatcher) throws IOException {
        this.config = config;
        this.dispatcher = dispatcher;
        this.inFlight = new InFlight(config.maxInFlightBytes());
        boolean epoll = Epoll.isAvailable();
        eventLoops = new MultiThreadIoEventLoopGroup(
                config.ioThreads(),
                new DefaultThreadFactory("metaq-io"),
                epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        for (EventExecutor eventLoop : eventLoops) {
            replies.put(eventLoop, new EventLoopReplies(eventLoop));
        }
        Class<? extends ServerChannel> type = epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
        try {
            TlsEndpoint tls = config.tls();
            server = bind(type, config.address(), "serverPort", null);
            tlsServer = tls == null ? null : bind(type, tls.address(), "tlsPort", tls.context());
        } catch (IOException e) {
            eventLoops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            throw e;
        }
    }

    private Channel bind(
            Class<? extends ServerChannel> type, InetSocketAddress address, String key, @Nullable SslContext tls)
            throws IOException {
        var bound = new ServerBootstrap()
                .group(eventLoops)
                .channel(type)
                .option(ChannelOption.SO_BACKLOG, 1024)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(64 << 10, 256 << 10))
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        accept(channel, tls);
                    }
                })
                .bind(address)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException(
                    "cannot listen on " + address + ": " + bound.cause().getMessage() + "; choose another " + key
                            + " or bindAddress",
                    bound.cause());
        }
        return bound.channel();
    }

    private void accept(Channel channel, @Nullable SslContext tls) {
        if (connections.size() >= config.maxConnections()) {
            LOG.warn(
                    "connection of {} closed: {} connections are open, the limit (maxConnections)",
                    channel.remoteAddress(),
                    config.maxConnections());
            channel.close();
            return;
        }
        connections.add(channel);
        EventLoopReplies mine = replies.get(channel.eventLoop());
        if (mine == null) {
            throw new IllegalStateException("connection on a foreign event loop");
        }
        Session session = new Session(channel, mine, inFlight, dispatcher, tls != null);
        if (tls != null) {
            // A slice goes out in pieces; the second handler keeps replies from getting in between them.
            channel.pipeline().addLast(tls.newHandler(channel.alloc()), new ChunkedWriteHandler());
        }
        if (config.idleTimeoutMs() > 0) {
            channel.pipeline().addLast(new IdleStateHandler(config.idleTimeoutMs(), 0, 0, TimeUnit.MILLISECONDS));
        }
        channel.pipeline().addLast(new RequestDecoder(config.limits()), new SessionHandler(session));
    }

    /** One of the event loops, each in turn. */
    public SessionLoop anyLoop() {
        EventExecutor loop = eventLoops.next();
        return new SessionLoop(loop, Objects.requireNonNull(replies.get(loop)));
    }

    /** Lets the replies leave that {@link Session#answered} queued. Any thread. */
    public void wake() {
        replies.values().forEach(EventLoopReplies::wake);
    }

    public int port() {
        return ((InetSocketAddress) server.localAddress()).getPort();
    }

    /** The port for TLS; -1 if there is none. */
    public int tlsPort() {
        return tlsServer == null ? -1 : ((InetSocketAddress) tlsServer.localAddress()).getPort();
    }

    public int connections() {
        return connections.size();
    }

    /** Takes no further connection. */
    public void stopAccepting() {
        server.close().awaitUninterruptibly();
        if (tlsServer != null) {
            tlsServer.close().awaitUninterruptibly();
        }
    }

    /** Takes no further request, then waits until the messages that were taken are answered; at most {@code timeoutMs}. */
    public void drain(long timeoutMs) {
        for (Channel channel : connections) {
            channel.eventLoop().execute(() -> {
                SessionHandler handler = channel.pipeline().get(SessionHandler.class);
                if (handler != null) {
                    handler.stop();
                }
            });
        }
        if (!inFlight.awaitEmpty(timeoutMs)) {
            LOG.warn("{} bytes of messages are still unanswered after {} ms", inFlight.bytes(), timeoutMs);
        }
    }

    /** Closes every connection; what they had on the event loops is told of that. */
    public void closeConnections() {
        stopAccepting();
        connections.close().awaitUninterruptibly(5, TimeUnit.SECONDS);
    }

    /** Closes every connection and ends the threads. */
    @Override
    public void close() {
        closeConnections();
        eventLoops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly(10, TimeUnit.SECONDS);
    }
}
