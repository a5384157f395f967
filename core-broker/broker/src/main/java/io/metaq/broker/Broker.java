package io.metaq.broker;

import io.metaq.broker.command.DestinationRules;
import io.metaq.broker.command.DiskGuard;
import io.metaq.broker.command.Handlers;
import io.metaq.broker.command.TopicCatalog;
import io.metaq.broker.command.TopicDirectory;
import io.metaq.broker.config.AdminSection;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.config.TlsSection;
import io.metaq.broker.config.TopicConfig;
import io.metaq.broker.group.GroupCoordinator;
import io.metaq.broker.http.HttpParts;
import io.metaq.broker.http.HttpServer;
import io.metaq.broker.net.Dispatcher;
import io.metaq.broker.net.EventLoops;
import io.metaq.broker.net.Listener;
import io.metaq.broker.security.Logins;
import io.metaq.broker.security.TlsContext;
import io.metaq.broker.security.UsersFile;
import io.metaq.broker.stats.BrokerCounters;
import io.metaq.broker.stats.StatsReport;
import io.metaq.broker.store.Store;
import io.metaq.broker.store.StoreConfig;
import io.metaq.broker.subscription.Dispatches;
import io.metaq.broker.subscription.ExpirySweeper;
import io.metaq.broker.subscription.TemporaryDestinations;
import io.metaq.broker.transaction.Transactions;
import io.metaq.broker.upkeep.DiskWatch;
import io.metaq.broker.upkeep.Retention;
import io.metaq.broker.upkeep.Upkeep;
import io.metaq.log.file.Storage;
import io.metaq.log.journal.Durability;
import io.metaq.log.journal.JournalConfig;
import io.metaq.protocol.Limits;
import io.metaq.state.BrokerState;
import io.metaq.state.Topic;
import io.metaq.state.record.Change;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A message broker: one journal, one address. Several may run in one process, each on a data directory of its own.
 *
 * <pre>{@code
 * try (Broker broker = Broker.start(BrokerConfig.load(Path.of("conf/server.ini")))) {
 *     broker.stopped().toCompletableFuture().join();
 * }
 * }</pre>
 */
public final class Broker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Broker.class);
    private static final int SMALLEST_SEGMENT_BYTES = 4 << 20;
    private static final int QUEUE_SEGMENT_BYTES = 64 << 20;
    private static final long PRODUCER_MEMORY_MS = TimeUnit.DAYS.toMillis(7);

    private final BrokerConfig config;
    private final Clock clock;
    private final Store store;
    private final TopicCatalog topics;
    private final GroupCoordinator coordinator;
    private final EventLoops eventLoops;
    private final Listener listener;
    private final Upkeep upkeep = new Upkeep();
    private final Discovery discovery;
    private final @Nullable HttpServer http;
    private final Logins logins;
    private final Dispatches dispatches;
    private final Transactions transactions;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();
    private volatile TopicDirectory directory = TopicDirectory.NOBODY;

    /**
     * Starts a broker; it serves when this returns.
     *
     * @throws IOException if the data directory cannot be opened, the address cannot be listened on, or another broker
     *     has its number; the message says what to do
     */
    public static Broker start(BrokerConfig config) throws IOException {
        return start(config, Storage.disk(), Clock.systemUTC());
    }

    /** The same on another storage or by another clock. */
    public static Broker start(BrokerConfig config, Storage storage, Clock clock) throws IOException {
        Store store = Store.open(storeConfig(config, storage), storage, clock);
        try {
            return new Broker(config, store, storage, clock);
        } catch (IOException | RuntimeException e) {
            closeAfter(e, store);
            throw e;
        }
    }

    private Broker(BrokerConfig config, Store store, Storage storage, Clock clock) throws IOException {
        this.config = config;
        this.clock = clock;
        this.store = store;
        BrokerState state = store.state();
        this.topics = new TopicCatalog(config, state);
        this.logins = new Logins(new UsersFile(config.usersFile()));
        if (!config.allowAnonymous() && logins.knowNobody()) {
            LOG.warn(
                    "nobody can work with this broker: {} has no user; metaq user add NAME adds one",
                    config.usersFile());
        }
        this.coordinator = new GroupCoordinator(
                config.brokerId(),
                this::partitionCount,
                () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()),
                config.groupSessionTimeout());
        declareTopics();
        DiskWatch disk = new DiskWatch(config, storage);
        disk.look();
        Dispatcher dispatcher = new Dispatcher();
        BrokerCounters counters = new BrokerCounters(System::nanoTime);
        this.dispatches = new Dispatches(store, new DestinationRules(topics), clock);
        this.transactions = new Transactions(store, counters.transactions(), clock);
        state.observeReturned(dispatches::returned);
        transactions.afterStart();
        Handlers.install(
                dispatcher,
                new Handlers.Parts(
                        config,
                        this::url,
                        Version.TEXT,
                        store,
                        topics,
                        disk.or(store::full),
                        counters,
                        coordinator,
                        new StatsReport(
                                config,
                                state,
                                counters,
                                topics::settings,
                                new StatsReport.Server(Version.TEXT, this::port, this::connections)),
                        logins,
                        dispatches,
                        new TemporaryDestinations(state.temporary(), dispatches),
                        transactions,
                        topic -> this.directory.elsewhere(topic),
                        clock));
        int threads = config.ioThreads() == 0 ? Runtime.getRuntime().availableProcessors() : config.ioThreads();
        this.eventLoops = new EventLoops(threads, config.maxInFlightBytes(), dispatcher);
        state.whenAnswered(eventLoops::wake);
        try {
            this.listener = Listener.open(listenerConfig(config), eventLoops);
        } catch (IOException | RuntimeException e) {
            eventLoops.close();
            throw e;
        }
        try {
            this.discovery = Discovery.start(config, listener, state, topics);
            this.directory = discovery::elsewhere;
        } catch (IOException | RuntimeException e) {
            listener.close();
            eventLoops.close();
            throw e;
        }
        try {
            this.http = http(config, disk.or(store::full));
        } catch (IOException | RuntimeException e) {
            discovery.unregister();
            discovery.close();
            listener.close();
            eventLoops.close();
            throw e;
        }
        state.observe(change -> changed(change, counters));
        // What changed while the registration was under way.
        discovery.topicsChanged();
        coordinator.topicsChanged();
        scheduleUpkeep(disk);
        store.failure().thenAccept(this::failed);
        LOG.info(
                "broker {} serves {} topics at {}:{}{}",
                config.brokerId(),
                state.topics().size(),
                host(),
                port(),
                (tlsPort() < 0 ? "" : ", by TLS at port " + tlsPort())
                        + (adminPort() < 0 ? "" : ", by HTTP at port " + adminPort()));
    }

    /** Two journal segments must leave most of a small disk to messages. */
    private static int segmentBytes(BrokerConfig config, Storage storage) throws IOException {
        storage.createDirectories(config.journalPath());
        long share = storage.totalSpace(config.journalPath()) / 32;
        return (int) Math.min(config.journalSegmentSize(), Math.max(SMALLEST_SEGMENT_BYTES, share));
    }

    /** Files of a queue go as a whole once all in them is acknowledged: small ones go sooner. */
    private static int segmentBytes(BrokerConfig config, Topic topic) {
        int configured = TopicCatalog.settings(config, topic).maxSegmentSize();
        return topic.kind() == Topic.Kind.QUEUE ? Math.min(configured, QUEUE_SEGMENT_BYTES) : configured;
    }

    private static StoreConfig storeConfig(BrokerConfig config, Storage storage) throws IOException {
        int flushIntervalMs = config.journalFlushInterval();
        JournalConfig journal = JournalConfig.of(config.journalPath())
                .withSegmentBytes(segmentBytes(config, storage))
                .withMaxQueuedBytes(config.maxInFlightBytes() * 2)
                .withFlushIntervalMs(flushIntervalMs == 0 ? Integer.MAX_VALUE : flushIntervalMs);
        return new StoreConfig(
                config.dataPath(),
                config.brokerId(),
                journal,
                topic -> segmentBytes(config, topic),
                config.maxOpenFiles(),
                config.checkpointInterval(),
                config.checkpointBytes(),
                config.maxTemporaryBytes());
    }

    private static Listener.ListenerConfig listenerConfig(BrokerConfig config) throws IOException {
        return new Listener.ListenerConfig(
                new InetSocketAddress(config.bindAddress(), config.serverPort()),
                tlsEndpoint(config),
                config.maxConnections(),
                config.connectionIdleTimeout(),
                new Limits(config.maxLineSize(), config.maxMessageSize()));
    }

    private @Nullable HttpServer http(BrokerConfig config, DiskGuard disk) throws IOException {
        AdminSection admin = config.admin();
        if (!admin.enabled()) {
            return null;
        }
        HttpParts parts = new HttpParts(
                config, store.state(), () -> new HttpParts.Health(!closing.get(), !disk.refuses()), clock);
        return HttpServer.open(parts, eventLoops, admin.tls() ? TlsContext.of(config.tls()) : null);
    }

    private static Listener.@Nullable TlsEndpoint tlsEndpoint(BrokerConfig config) throws IOException {
        TlsSection tls = config.tls();
        return tls.enabled()
                ? new Listener.TlsEndpoint(new InetSocketAddress(config.bindAddress(), tls.port()), TlsContext.of(tls))
                : null;
    }

    /** Brings the topics that the configuration declares into being, or up to its number of partitions. */
    private void declareTopics() {
        List<CompletableFuture<?>> pending = new ArrayList<>();
        for (TopicConfig declared : config.declaredTopics()) {
            Topic topic = store.state().topic(declared.name());
            if (topic == null) {
                pending.add(store.change(TopicCatalog.creation(declared), Durability.DISK));
            } else if (topic.partitionCount() < declared.numPartitions()) {
                pending.add(store.change(
                        new Change.TopicAltered(declared.name(), declared.numPartitions(), Map.of()), Durability.DISK));
            } else if (topic.partitionCount() > declared.numPartitions()) {
                LOG.warn(
                        "topic {} keeps its {} partitions: the configuration says {}, but partitions cannot go",
                        declared.name(),
                        topic.partitionCount(),
                        declared.numPartitions());
            }
        }
        try {
            CompletableFuture.allOf(pending.toArray(CompletableFuture[]::new)).join();
        } catch (CompletionException e) {
            // A full disk must not keep the broker from serving what it has.
            LOG.error("not all topics of the configuration could be created", e.getCause());
        }
    }

    private int partitionCount(String name) {
        Topic topic = store.state().topic(name);
        return topic == null ? 0 : topic.partitionCount();
    }

    private void changed(Change change, BrokerCounters counters) {
        dispatches.changed(change);
        if (change instanceof Change.TopicDeleted deleted) {
            counters.forget(deleted.topic());
            topics.forget(deleted.topic());
        }
        boolean topology = change instanceof Change.TopicCreated
                || change instanceof Change.TopicAltered
                || change instanceof Change.TopicDeleted
                || change instanceof Change.PartitionsGated;
        if (topology) {
            discovery.topicsChanged();
            coordinator.topicsChanged();
        }
    }

    private void scheduleUpkeep(DiskWatch disk) {
        Retention retention = new Retention(store, topics, clock);
        upkeep.every(200, "the look at the disk", disk::look);
        upkeep.every(500, "writing what waits for room", store::retry);
        upkeep.every(1_000, "retention", retention::look);
        upkeep.every(1_000, "the look at group members", coordinator::tick);
        ExpirySweeper expiry = new ExpirySweeper(store.state(), dispatches, eventLoops::anyLoop, clock);
        upkeep.every(1_000, "looking for expired messages", expiry::look);
        upkeep.every(500, "ending transactions that take too long", transactions::expire);
        // What the journal's thread left to the end of a batch leaves at last when no batch came.
        upkeep.every(500, "the wake-up of the event loops", eventLoops::wake);
        upkeep.every(
                TimeUnit.HOURS.toMillis(1),
                "forgetting old producers",
                () -> store.change(new Change.ProducersExpired(clock.millis() - PRODUCER_MEMORY_MS), Durability.OS));
    }

    /** The port listened on. */
    public int port() {
        return listener.port();
    }

    /** The port listened on for TLS; -1 if there is none. */
    public int tlsPort() {
        return listener.tlsPort();
    }

    /** The port listened on for HTTP; -1 if there is none. */
    public int adminPort() {
        return http == null ? -1 : http.port();
    }

    private int connections() {
        return listener.connections() + (http == null ? 0 : http.connections());
    }

    private String host() {
        return config.advertisedHost();
    }

    private String url() {
        return "meta://" + host() + ":" + port();
    }

    /** The ZooKeeper servers that clients find this broker by: the embedded one if it runs; empty without ZooKeeper. */
    public String zooKeeperConnect() {
        return discovery.connectString();
    }

    /** Completes when the broker has stopped; exceptionally, with the cause, if it had to leave service by itself. */
    public CompletionStage<Void> stopped() {
        return stopped.minimalCompletionStage();
    }

    private void failed(Throwable cause) {
        Thread end = new Thread(() -> stop(cause), "metaq-failed");
        end.start();
    }

    /**
     * Stops: takes nothing new, finishes what was taken, answers it, closes. Bounded by the configured stopTimeout and
     * ZooKeeper's bounds.
     */
    @Override
    public void close() {
        stop(null);
    }

    private void stop(@Nullable Throwable cause) {
        if (!closing.compareAndSet(false, true)) {
            stopped.handle((done, failure) -> null).join();
            return;
        }
        discovery.unregister();
        listener.stopAccepting();
        if (http != null) {
            http.stopAccepting();
        }
        upkeep.close();
        if (cause == null) {
            listener.drain(config.stopTimeout());
            listener.closeConnections();
            dispatches.awaitIdle(config.stopTimeout());
        }
        listener.close();
        if (http != null) {
            http.close();
        }
        eventLoops.close();
        logins.close();
        try {
            store.close();
            LOG.info("broker {} stopped", config.brokerId());
        } catch (IOException | RuntimeException e) {
            LOG.error("the store was not closed cleanly; the next start recovers it", e);
        } finally {
            discovery.close();
            end(cause);
        }
    }

    private void end(@Nullable Throwable cause) {
        if (cause == null) {
            stopped.complete(null);
        } else {
            stopped.completeExceptionally(cause);
        }
    }

    private static void closeAfter(Exception cause, Store store) {
        try {
            store.close();
        } catch (IOException | RuntimeException e) {
            cause.addSuppressed(e);
        }
    }
}
