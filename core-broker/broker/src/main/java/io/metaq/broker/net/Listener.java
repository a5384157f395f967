package io.metaq.broker.net;

import io.metaq.protocol.Limits;
import io.metaq.protocol.codec.RequestDecoder;
import io.netty.channel.Channel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.stream.ChunkedWriteHandler;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The text protocol's listening sockets and the connections that came by it. */
public final class Listener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Listener.class);

    private final ListenerConfig config;
    private final EventLoops eventLoops;
    private final ChannelGroup connections = new DefaultChannelGroup("connections", GlobalEventExecutor.INSTANCE);
    private final Channel server;
    private final @Nullable Channel tlsServer;

    /**
     * @param address where to listen; port 0 takes any free one
     * @param tls where to listen for TLS; null for nowhere
     * @param idleTimeoutMs connections silent for longer are closed; 0 for never
     */
    public record ListenerConfig(
            InetSocketAddress address,
            @Nullable TlsEndpoint tls,
            int maxConnections,
            int idleTimeoutMs,
            Limits limits) {}

    /**
     * A second address, at which TLS is spoken.
     *
     * @param address port 0 takes any free one
     */
    public record TlsEndpoint(InetSocketAddress address, SslContext context) {}

    /** @throws IOException if an address cannot be listened on */
    public static Listener open(ListenerConfig config, EventLoops eventLoops) throws IOException {
        return new Listener(config, eventLoops);
    }

    private Listener(ListenerConfig config, EventLoops eventLoops) throws IOException {
        this.config = config;
        this.eventLoops = eventLoops;
        TlsEndpoint tls = config.tls();
        server = eventLoops.bind(config.address(), "serverPort or bindAddress", channel -> accept(channel, null));
        try {
            tlsServer = tls == null
                    ? null
                    : eventLoops.bind(
                            tls.address(), "tlsPort or bindAddress", channel -> accept(channel, tls.context()));
        } catch (IOException e) {
            server.close().awaitUninterruptibly();
            throw e;
        }
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
        Session session = eventLoops.session(channel.eventLoop(), new FramePeer(channel, tls != null));
        if (tls != null) {
            // A slice goes out in pieces; the second handler keeps replies from getting in between them.
            channel.pipeline().addLast(tls.newHandler(channel.alloc()), new ChunkedWriteHandler());
        }
        if (config.idleTimeoutMs() > 0) {
            channel.pipeline().addLast(new IdleStateHandler(config.idleTimeoutMs(), 0, 0, TimeUnit.MILLISECONDS));
        }
        channel.pipeline().addLast(new RequestDecoder(config.limits()), new SessionHandler(session));
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
        InFlight inFlight = eventLoops.inFlight();
        if (!inFlight.awaitEmpty(timeoutMs)) {
            LOG.warn("{} bytes of messages are still unanswered after {} ms", inFlight.bytes(), timeoutMs);
        }
    }

    /** Closes every connection; what they had on the event loops is told of that. */
    public void closeConnections() {
        stopAccepting();
        connections.close().awaitUninterruptibly(5, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        closeConnections();
    }
}
