package io.metaq.client;

import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks brokers given by address what they have. Nobody tells a change, so watched topics are asked for again at intervals. A broker
 * that does not answer keeps the partitions it had.
 */
final class DirectRoutes implements RouteSource {

    private static final Logger LOG = LoggerFactory.getLogger(DirectRoutes.class);

    private final List<ServerTopics> servers = new ArrayList<>();
    private final Map<String, Watched> watched = new ConcurrentHashMap<>();
    private final Duration patience;
    private final Future<?> refreshing;
    private volatile boolean closed;

    private static final class Watched {
        final List<Listener> listeners = new CopyOnWriteArrayList<>();
        volatile @Nullable Route last;
    }

    DirectRoutes(List<BrokerAddress> addresses, Brokers brokers, Duration requestTimeout, Duration refresh) {
        this.patience = requestTimeout.compareTo(Duration.ofSeconds(2)) < 0 ? requestTimeout : Duration.ofSeconds(2);
        for (BrokerAddress address : addresses) {
            servers.add(new ServerTopics(address, brokers, patience.toMillis()));
        }
        EventLoop loop = brokers.transport().anyLoop();
        refreshing = loop.scheduleWithFixedDelay(
                this::refresh, refresh.toMillis(), refresh.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public List<BrokerNode> brokers() {
        List<CompletableFuture<?>> asked = new ArrayList<>();
        for (ServerTopics server : servers) {
            if (server.node() == null) {
                asked.add(server.identify());
            }
        }
        settle(asked);
        List<BrokerNode> nodes = new ArrayList<>();
        for (ServerTopics server : servers) {
            BrokerNode node = server.node();
            if (node != null) {
                nodes.add(node);
            }
        }
        if (nodes.isEmpty()) {
            asked.forEach(DirectRoutes::throwIfNotLetIn);
        }
        nodes.sort((a, b) -> Integer.compare(a.id(), b.id()));
        return nodes;
    }

    /** To be refused is not to find nobody: who asks has to do something about it. */
    private static void throwIfNotLetIn(CompletableFuture<?> answer) {
        try {
            answer.getNow(null);
        } catch (CompletionException e) {
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                if (cause instanceof UnauthorizedException || cause instanceof SSLException) {
                    throw Calls.rethrow("asking brokers", e);
                }
            }
            LOG.debug("a broker does not answer: {}", e.getMessage());
        }
    }

    private void settle(List<CompletableFuture<?>> asked) {
        CompletableFuture<Void> all = CompletableFuture.allOf(asked.toArray(new CompletableFuture<?>[0]))
                .exceptionally(failure -> {
                    LOG.debug("a broker does not answer: {}", failure.getMessage());
                    return null;
                });
        Calls.await(all, "asking brokers", patience.multipliedBy(3));
    }

    @Override
    public Route route(String topic, Use use) {
        return Calls.await(ask(topic), "route of topic " + topic, patience.multipliedBy(3));
    }

    /** The route from all that answer, together with what the others said before; fails when nothing at all is known. */
    private CompletableFuture<Route> ask(String topic) {
        List<CompletableFuture<Integer>> counts = new ArrayList<>();
        for (ServerTopics server : servers) {
            counts.add(server.partitions(topic));
        }
        return CompletableFuture.allOf(counts.toArray(new CompletableFuture<?>[0]))
                .handle((done, failure) -> combine(topic, counts, failure));
    }

    private Route combine(String topic, List<CompletableFuture<Integer>> counts, @Nullable Throwable failure) {
        List<Route.Entry> entries = new ArrayList<>();
        boolean anyAnswer = false;
        for (int i = 0; i < counts.size(); i++) {
            ServerTopics server = servers.get(i);
            Integer count = counts.get(i).isCompletedExceptionally()
                    ? server.lastKnown(topic)
                    : counts.get(i).join();
            BrokerNode node = server.node();
            anyAnswer |= count != null;
            if (count != null && count >= 0 && node != null) {
                entries.add(new Route.Entry(node, count));
            }
        }
        if (!anyAnswer && failure != null) {
            throw Calls.rethrow("route of topic " + topic, failure);
        }
        return new Route(topic, entries);
    }

    @Override
    public Watch watch(String topic, Use use, Listener listener) {
        Watched entry = watched.computeIfAbsent(topic, name -> new Watched());
        entry.listeners.add(listener);
        return () -> entry.listeners.remove(listener);
    }

    private void refresh() {
        if (closed) {
            return;
        }
        watched.forEach((topic, entry) -> {
            if (!entry.listeners.isEmpty()) {
                ask(topic).whenComplete((route, failure) -> {
                    if (route != null) {
                        tell(entry, route);
                    }
                });
            }
        });
    }

    private static void tell(Watched entry, Route route) {
        if (!route.equals(entry.last)) {
            entry.last = route;
            entry.listeners.forEach(listener -> listener.changed(route));
        }
    }

    @Override
    public void close() {
        closed = true;
        // The thread may be others' too, and live on.
        refreshing.cancel(false);
        watched.clear();
    }
}
