package io.metaq.broker.net;

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
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The threads that serve connections, whatever is spoken on them, and the sessions that live there. */
public final class EventLoops implements AutoCloseable {
    private final Dispatcher dispatcher;
    private final InFlight inFlight;
    private final boolean epoll = Epoll.isAvailable();
    private final EventLoopGroup group;
    private final Map<EventExecutor, EventLoopReplies> replies = new IdentityHashMap<>();

    /**
     * @param threads how many
     * @param maxInFlightBytes bytes of messages taken in and not yet written, over all connections
     */
    public EventLoops(int threads, long maxInFlightBytes, Dispatcher dispatcher) {
        this.dispatcher = dispatcher;
        this.inFlight = new InFlight(maxInFlightBytes);
        this.group = new MultiThreadIoEventLoopGroup(
                threads,
                new DefaultThreadFactory("metaq-io"),
                epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        for (EventExecutor eventLoop : group) {
            replies.put(eventLoop, new EventLoopReplies(eventLoop));
        }
    }

    /**
     * Listens.
     *
     * @param address port 0 takes any free one
     * @param keys what to change in the configuration where that is impossible, such as {@code serverPort or bindAddress}
     * @param accept sets up a new connection, on its event loop
     * @throws IOException if the address cannot be listened on
     */
    public Channel bind(InetSocketAddress address, String keys, Consumer<Channel> accept) throws IOException {
        Class<? extends ServerChannel> type = epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
        var bound = new ServerBootstrap()
                .group(group)
                .channel(type)
                .option(ChannelOption.SO_BACKLOG, 1024)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(64 << 10, 256 << 10))
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        accept.accept(channel);
                    }
                })
                .bind(address)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException(
                    "cannot listen on " + address + ": " + bound.cause().getMessage() + "; choose another " + keys,
                    bound.cause());
        }
        return bound.channel();
    }

    /** A session on one of these threads. */
    public Session session(EventExecutor eventLoop, Peer peer) {
        return new Session(peer, eventLoop, replies(eventLoop), inFlight, dispatcher);
    }

    /** One of the event loops, each in turn. */
    public SessionLoop anyLoop() {
        EventExecutor loop = group.next();
        return new SessionLoop(loop, replies(loop));
    }

    private EventLoopReplies replies(EventExecutor eventLoop) {
        return Objects.requireNonNull(replies.get(eventLoop), "a foreign event loop");
    }

    /** Lets the replies leave that {@link Session#answered} queued. Any thread. */
    public void wake() {
        replies.values().forEach(EventLoopReplies::wake);
    }

    InFlight inFlight() {
        return inFlight;
    }

    /** Ends the threads. */
    @Override
    public void close() {
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly(10, TimeUnit.SECONDS);
    }
}
