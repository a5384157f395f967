package io.metaq.client;

import io.metaq.client.net.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What everything made from one client shares, and its end. */
final class ClientCore {

    private static final Logger LOG = LoggerFactory.getLogger(ClientCore.class);

    private final MetaqClientBuilder settings;
    private final Transport transport;
    private final Brokers brokers;
    private final RouteSource routes;
    private final @Nullable Cluster cluster;
    private final ThreadPoolExecutor housekeeping;
    private final Set<AutoCloseable> open = ConcurrentHashMap.newKeySet();
    private final Queue<Runnable> inOrder = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean inOrderBusy = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();

    ClientCore(MetaqClientBuilder settings, @Nullable Cluster cluster) {
        this.settings = settings;
        this.cluster = cluster;
        this.transport = settings.transport();
        this.brokers = new Brokers(transport);
        this.routes = cluster != null
                ? cluster.routes()
                : new DirectRoutes(
                        settings.servers,
                        brokers,
                        settings.tls != null,
                        settings.requestTimeout,
                        settings.routeRefresh);
        this.housekeeping = housekeepingThreads();
    }

    /** For what may block (offset stores, first routes): up to four threads that end when idle. */
    private static ThreadPoolExecutor housekeepingThreads() {
        AtomicInteger number = new AtomicInteger();
        ThreadPoolExecutor threads =
                new ThreadPoolExecutor(4, 4, 2, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "metaq-client-housekeeping-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    Brokers brokers() {
        return brokers;
    }

    RouteSource routes() {
        return routes;
    }

    @Nullable
    Cluster cluster() {
        return cluster;
    }

    Duration requestTimeout() {
        return settings.requestTimeout;
    }

    Duration subscriberTimeout() {
        return settings.subscriberTimeout;
    }

    int maxFetchBytes() {
        return settings.maxFetchBytes;
    }

    Executor housekeeping() {
        return housekeeping;
    }

    /** Runs on a housekeeping thread, one task after the other. Dropped after the end of the client. */
    void inOrder(Runnable task) {
        inOrder.add(task);
        if (!inOrderBusy.compareAndSet(false, true)) {
            return;
        }
        try {
            housekeeping.execute(this::runInOrder);
        } catch (RejectedExecutionException e) {
            LOG.trace("the client is closed", e);
        }
    }

    private void runInOrder() {
        do {
            for (Runnable next = inOrder.poll(); next != null; next = inOrder.poll()) {
                next.run();
            }
            inOrderBusy.set(false);
        } while (!inOrder.isEmpty() && inOrderBusy.compareAndSet(false, true));
    }

    boolean onNetworkThread() {
        return transport.onNetworkThread();
    }

    /** The route, remembered for the addresses in it. */
    Route route(String topic, RouteSource.Use use) {
        checkOpen();
        Route route = routes.route(topic, use);
        brokers.seen(route);
        return route;
    }

    List<BrokerNode> nodes() {
        checkOpen();
        List<BrokerNode> nodes = routes.brokers();
        nodes.forEach(brokers::seen);
        return nodes;
    }

    /**
     * Partitions to send to. A topic that nobody has is left to the brokers: one that creates topics by itself, or serves the name by
     * a wildcard, takes the first message and chooses the partition.
     */
    List<TopicPartition> publishable(String topic) {
        Route route = route(topic, RouteSource.Use.PUBLISH);
        if (!route.entries().isEmpty()) {
            return route.partitions();
        }
        List<TopicPartition> anywhere = new ArrayList<>();
        for (BrokerNode node : nodes()) {
            anywhere.add(new TopicPartition(topic, node.id(), TopicPartition.ANY));
        }
        return anywhere;
    }

    Producer newProducer(ProducerBuilder builder) {
        return register(new BatchingProducer(this, builder));
    }

    CommonSender newCommonSender(ProducerBuilder builder) {
        if (!settings.shareConnections) {
            throw new IllegalStateException("a common sender needs a client that shares connections");
        }
        return register(new SharedSends(this, settings, builder));
    }

    Consumer startConsumer(ConsumerBuilder builder) {
        GroupConsumer consumer = register(new GroupConsumer(this, builder));
        try {
            consumer.start();
        } catch (RuntimeException e) {
            consumer.close();
            throw e;
        }
        return consumer;
    }

    /** The addresses given by the application, empty with ZooKeeper. */
    List<BrokerAddress> servers() {
        return settings.servers;
    }

    <T extends AutoCloseable> T register(T made) {
        checkOpen();
        open.add(made);
        return made;
    }

    void forget(AutoCloseable made) {
        open.remove(made);
    }

    void checkOpen() {
        if (closed.get()) {
            throw new ClientClosedException("the client", false);
        }
    }

    boolean isClosed() {
        return closed.get();
    }

    /** Consumers first, since they store offsets; side by side, so that several slow ones take no longer than one. */
    void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        closeAll(List.copyOf(open));
        quietly(routes);
        if (cluster != null) {
            quietly(cluster);
        }
        transport.close();
        housekeeping.shutdownNow();
    }

    private void closeAll(List<AutoCloseable> made) {
        List<AutoCloseable> inTurn = new ArrayList<>(made);
        // From a listener, its own consumer must see that it is called from there, or it would wait for the listener to
        // end.
        inTurn.removeIf(one -> !onNetworkThread() && !(one instanceof GroupConsumer consumer && consumer.isInside()));
        inTurn.forEach(ClientCore::quietly);
        List<Thread> closers = new ArrayList<>();
        for (AutoCloseable one : made) {
            if (inTurn.contains(one)) {
                continue;
            }
            Thread closer = new Thread(() -> quietly(one), "metaq-client-closer");
            closer.setDaemon(true);
            closer.start();
            closers.add(closer);
        }
        try {
            for (Thread closer : closers) {
                closer.join(7_000);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void quietly(AutoCloseable one) {
        try {
            one.close();
        } catch (Exception e) {
            LOG.warn("closing {} failed", one, e);
        }
    }
}
