package io.metaq.client;

import io.metaq.client.ToldRoutes.Place;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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
 * Asks brokers given by address what they have, and what they know of others. Nobody tells a change, so watched topics are asked for
 * again at intervals. A broker that does not answer keeps the partitions it had; when none of those given answers, the others are
 * asked.
 */
final class DirectRoutes implements RouteSource {

    private static final Logger LOG = LoggerFactory.getLogger(DirectRoutes.class);

    private final List<ServerTopics> servers = new ArrayList<>();
    private final Map<BrokerAddress, ServerTopics> learned = new ConcurrentHashMap<>();
    private final Map<Watching, Watched> watched = new ConcurrentHashMap<>();
    private final Brokers brokers;
    private final boolean encrypted;
    private final Duration patience;
    private final Future<?> refreshing;
    private volatile boolean closed;

    private record Watching(String topic, Use use) {}

    private static final class Watched {
        final List<Listener> listeners = new CopyOnWriteArrayList<>();
        volatile @Nullable Route last;
    }

    /** @param encrypted whether brokers are to be reached by TLS */
    DirectRoutes(
            List<BrokerAddress> addresses,
            Brokers brokers,
            boolean encrypted,
            Duration requestTimeout,
            Duration refresh) {
        this.brokers = brokers;
        this.encrypted = encrypted;
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
        return Calls.await(ask(topic, use), "route of topic " + topic, patience.multipliedBy(3));
    }

    /** The route from all that answer, together with what the others said before; fails when nothing at all is known. */
    private CompletableFuture<Route> ask(String topic, Use use) {
        return ask(topic, servers).thenCompose(asked -> {
            if (asked.anyAnswer() || learned.isEmpty()) {
                return CompletableFuture.completedFuture(route(topic, use, asked));
            }
            List<ServerTopics> all = new ArrayList<>(servers);
            all.addAll(learned.values());
            return ask(topic, all).thenApply(again -> route(topic, use, again));
        });
    }

    private CompletableFuture<AskedRoutes> ask(String topic, List<ServerTopics> whom) {
        Map<ServerTopics, CompletableFuture<ToldRoutes>> answers = new LinkedHashMap<>();
        whom.forEach(server -> answers.put(server, server.routes(topic, encrypted)));
        return CompletableFuture.allOf(answers.values().toArray(new CompletableFuture<?>[0]))
                .handle((done, failure) -> new AskedRoutes(topic, answers));
    }

    private Route route(String topic, Use use, AskedRoutes asked) {
        List<Place> places = asked.places();
        for (Place place : places) {
            if (!place.own()) {
                BrokerAddress address = place.node().address();
                learned.computeIfAbsent(address, a -> new ServerTopics(a, brokers, patience.toMillis()));
            }
        }
        // Where all are closed the broker is to say so.
        boolean anyOpen = places.stream().anyMatch(place -> place.open(use));
        return new Route(
                topic,
                places.stream()
                        .filter(place -> place.open(use) || !anyOpen)
                        .map(place -> new Route.Entry(place.node(), place.partitions()))
                        .toList());
    }

    @Override
    public Watch watch(String topic, Use use, Listener listener) {
        Watched entry = watched.computeIfAbsent(new Watching(topic, use), key -> new Watched());
        entry.listeners.add(listener);
        return () -> entry.listeners.remove(listener);
    }

    private void refresh() {
        if (closed) {
            return;
        }
        watched.forEach((key, entry) -> {
            if (!entry.listeners.isEmpty()) {
                ask(key.topic(), key.use()).whenComplete((route, failure) -> {
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
