package io.metaq.client.net;

import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

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

    private record SharedKey(LinkSettings settings, boolean forCalls) {}

    private static final Map<SharedKey, Transport> SHARED = new HashMap<>();

    private final NetworkThreads threads;
    private final LinkSettings settings;
    private final Map<Key, Link> links = new ConcurrentHashMap<>();
    private final Set<Link> owned = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** Guarded by {@link #SHARED}. */
    private int users = 1;

    /** @param threads this transport's from now on: its end releases them */
    public Transport(NetworkThreads threads, LinkSettings settings) {
        this.settings = settings;
        this.threads = threads;
    }

    /**
     * The transport that all callers with equal settings share, with network threads that all share. Messages of several users that
     * are sent in one moment then leave in one write, and their answers come in one read. Each user closes it once.
     */
    public static Transport shared(LinkSettings settings) {
        return shared(new SharedKey(settings, false));
    }

    /** The same, with connections and threads for calls alone: see {@link NetworkThreads#forCalls}. */
    public static Transport forCalls(LinkSettings settings) {
        return shared(new SharedKey(settings, true));
    }

    private static Transport shared(SharedKey key) {
        synchronized (SHARED) {
            Transport known = SHARED.get(key);
            if (known == null) {
                NetworkThreads threads = key.forCalls ? NetworkThreads.forCalls() : NetworkThreads.shared();
                known = new Transport(threads, key.settings);
                SHARED.put(key, known);
            } else {
                known.users++;
                // What was refused to an earlier user may be allowed by now.
                known.links.values().removeIf(Link::isRefused);
            }
            return known;
        }
    }

    private boolean isLastUser() {
        synchronized (SHARED) {
            if (--users > 0) {
                return false;
            }
            SHARED.values().remove(this);
            return true;
        }
    }

    /** The link to a broker; made when asked for the first time, connected when first used. */
    public Link link(String host, int port, Purpose purpose) {
        Link link = links.computeIfAbsent(
                new Key(host, port, purpose), key -> new Link(threads.next(), key.host, key.port, settings));
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
        return threads.next();
    }

    /** Whether the caller is on one of the network threads, where nothing may block. */
    public boolean onNetworkThread() {
        return threads.isOne();
    }

    /**
     * Ends the caller's use of it. The last user's end closes all connections, failing what is under way, and lets go of the threads.
     * Waits for what is to be done on them for two seconds and a half at most, on a network thread not at all.
     */
    @Override
    public void close() {
        if (!isLastUser()) {
            threads.settle();
            return;
        }
        closed = true;
        List<Link> open = new ArrayList<>(links.values());
        open.addAll(owned);
        open.forEach(Link::close);
        threads.release();
    }
}
