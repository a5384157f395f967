package io.metaq.client.net;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The network threads of a client and its links, one per broker and purpose. */
public final class Transport implements AutoCloseable {

    /**
     * What a link is for. Each has its own connection, so that a long answer to one does not hold up the others, and so that leaving a
     * group by a broken connection concerns the group only.
     */
    public enum Purpose {
        PRODUCE,
        CONSUME,
        CONTROL,
        GROUP
    }

    private record Key(String host, int port, Purpose purpose) {}

    private final EventLoopGroup loops;
    private final LinkSettings settings;
    private final Map<Key, Link> links = new ConcurrentHashMap<>();
    private final Set<Link> owned = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    public Transport(int threads, LinkSettings settings) {
        this.settings = settings;
        this.loops = new MultiThreadIoEventLoopGroup(
                threads, new DefaultThreadFactory("metaq-client-net", true), NioIoHandler.newFactory());
    }

    /** The link to a broker; made when asked for the first time, connected when first used. */
    public Link link(String host, int port, Purpose purpose) {
        Link link = links.computeIfAbsent(
                new Key(host, port, purpose), key -> new Link(loops.next(), key.host, key.port, settings));
        if (closed) {
            link.close();
        }
        return link;
    }

    /** A link that nobody else gets, for a subscriber; {@link #end} ends it. */
    public Link ownLink(EventLoop loop, String host, int port) {
        Link link = new Link(loop, host, port, settings);
        owned.add(link);
        if (closed) {
            end(link);
        }
        return link;
    }

    /** Closes a link of {@link #ownLink} and forgets it. */
    public void end(Link link) {
        owned.remove(link);
        link.close();
    }

    /** A loop for timers and state that belongs to no link. */
    public EventLoop anyLoop() {
        return loops.next();
    }

    /** Whether the caller is on one of the network threads, where nothing may block. */
    public boolean onNetworkThread() {
        for (var loop : loops) {
            if (loop.inEventLoop()) {
                return true;
            }
        }
        return false;
    }

    /** Closes all connections, failing what is under way, and ends the threads within two seconds. Does not wait on a network thread. */
    @Override
    public void close() {
        closed = true;
        List<Link> open = new ArrayList<>(links.values());
        open.addAll(owned);
        open.forEach(Link::close);
        var ended = loops.shutdownGracefully(0, 2, TimeUnit.SECONDS);
        if (!onNetworkThread()) {
            ended.awaitUninterruptibly(2500);
        }
    }
}
