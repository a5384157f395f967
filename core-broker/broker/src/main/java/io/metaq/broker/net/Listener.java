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
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listening socket and the connections that came by it. */
public final class Listener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Listener.class);

    private final ListenerConfig config;
    private final Dispatcher dispatcher;
    private final InFlight inFlight;
    private final ChannelGroup connections = new DefaultChannelGroup("connections", GlobalEventExecutor.INSTANCE);
    private final EventLoopGroup eventLoops;
    private final Map<EventExecutor, EventLoopReplies> replies = new IdentityHashMap<>();
    private final Channel server;

    /**
     * @param address where to listen; port 0 takes any free one
     * @param ioThreads threads that serve connections
     * @param idleTimeoutMs connections silent for longer are closed; 0 for never
     * @param maxInFlightBytes bytes of messages taken in and not yet written, over all connections
     */
    public record ListenerConfig(
            InetSocketAddress address,
            int ioThreads,
            int maxConnections,
            int idleTimeoutMs,
            long maxInFlightBytes,
            Limits limits) {}

    /** @throws IOException if the address cannot be listened on */
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
        try {
            server = bind(epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class);
        } catch (IOException e) {
            eventLoops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            throw e;
        }
    }

    private Channel bind(Class<? extends ServerChannel> type) throws IOException {
        var bound = new ServerBootstrap()
                .group(eventLoops)
                .channel(type)
                .option(ChannelOption.SO_BACKLOG, 1024)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        accept(channel);
                    }
                })
                .bind(config.address())
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException(
                    "cannot listen on " + config.address() + ": "
                            + bound.cause().getMessage() + "; choose another serverPort or bindAddress",
                    bound.cause());
        }
        return bound.channel();
    }

    private void accept(Channel channel) {
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
        Session session = new Session(channel, mine, inFlight, dispatcher);
        if (config.idleTimeoutMs() > 0) {
            channel.pipeline().addLast(new IdleStateHandler(config.idleTimeoutMs(), 0, 0, TimeUnit.MILLISECONDS));
        }
        channel.pipeline().addLast(new RequestDecoder(config.limits()), new SessionHandler(session));
    }

    /** Lets the replies leave that {@link Session#answered} queued. Any thread. */
    public void wake() {
        replies.values().forEach(EventLoopReplies::wake);
    }

    public int port() {
        return ((InetSocketAddress) server.localAddress()).getPort();
    }

    public int connections() {
        return connections.size();
    }

    /** Takes no further connection. */
    public void stopAccepting() {
        server.close().awaitUninterruptibly();
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

    /** Closes every connection and ends the threads. */
    @Override
    public void close() {
        stopAccepting();
        connections.close().awaitUninterruptibly(5, TimeUnit.SECONDS);
        eventLoops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly(10, TimeUnit.SECONDS);
    }
}
