package io.metaq.broker.zookeeper;

import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one broker and its topics registered in ZooKeeper as long as it is open: after a change of topics, a lost
 * connection, an expired session, and with ZooKeeper away at the start. Serving clients never waits for it.
 *
 * <p>All work runs on one thread, which compares what shall be there with what is and sends the difference.
 */
public final class BrokerRegistration implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerRegistration.class);
    private static final int LONGEST_START_MS = 25_000;
    private static final int LONGEST_TOPICS_MS = 5_000;
    private static final int LONGEST_STOP_MS = 5_000;
    private static final int OPERATION_WAIT_MS = 5_000;
    private static final int RETRY_MS = 1_000;
    private static final int AUDIT_MS = 15_000;

    private final ZooKeeperConfig config;
    private final BrokerInfo broker;
    private final Supplier<? extends Collection<TopicRegistration>> topics;
    private final RegistryPaths paths;
    private final SessionMemory memory;
    private final BrokerIdClaim claim;
    private final CuratorFramework curator;
    private final ScheduledThreadPoolExecutor thread;
    private final EphemeralNodes nodes = new EphemeralNodes();
    private final OtherBrokers others;
    private final AtomicBoolean requested = new AtomicBoolean();
    private final CompletableFuture<Void> claimed = new CompletableFuture<>();
    private final CompletableFuture<Void> complete = new CompletableFuture<>();
    private volatile long configChecksum;
    private volatile boolean registered;
    private volatile boolean closed;
    private long session;
    private @Nullable String complaint;

    private BrokerRegistration(
            ZooKeeperConfig config,
            BrokerInfo broker,
            Path sessionFile,
            Supplier<? extends Collection<TopicRegistration>> topics) {
        this.config = config;
        this.broker = broker;
        this.topics = topics;
        this.configChecksum = broker.configChecksum();
        this.paths = new RegistryPaths(config.root(), broker);
        this.memory = new SessionMemory(sessionFile);
        this.claim = new BrokerIdClaim(paths, broker, config.connect(), memory);
        this.thread = new ScheduledThreadPoolExecutor(1, task -> daemon(task, "zookeeper-registration"));
        this.thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        this.curator = CuratorFrameworkFactory.builder()
                .connectString(config.connect())
                .sessionTimeoutMs(config.sessionTimeoutMs())
                .connectionTimeoutMs(Math.min(config.connectionTimeoutMs(), OPERATION_WAIT_MS))
                .retryPolicy(new RetryOneTime(RETRY_MS))
                .defaultData(new byte[0])
                .ensembleTracker(false) // asks for what a ZooKeeper 3.4 server does not have
                .build();
        this.others = new OtherBrokers(curator, config.root(), broker.id());
    }

    /**
     * Connects and registers. Waits for the broker's own entry at most the connection timeout of {@code config} and
     * never longer than 25 s, then for its topics at most 5 s more. With ZooKeeper away it logs so, returns all the same
     * and registers as soon as ZooKeeper answers.
     *
     * @param sessionFile remembers this broker's sessions over a crash; belongs into its data directory
     * @param topics asked anew at each registration, from the registration's thread
     * @throws BrokerIdTakenException if another broker is registered under this id
     * @throws IllegalArgumentException if the connect string is not one
     */
    public static BrokerRegistration start(
            ZooKeeperConfig config,
            BrokerInfo broker,
            Path sessionFile,
            Supplier<? extends Collection<TopicRegistration>> topics) {
        BrokerRegistration registration = new BrokerRegistration(config, broker, sessionFile, topics);
        try {
            registration.start();
            return registration;
        } catch (BrokerIdTakenException | IllegalArgumentException e) {
            registration.close();
            throw e;
        }
    }

    private void start() {
        curator.getConnectionStateListenable().addListener((client, state) -> connectionChanged(state));
        curator.start();
        thread.scheduleWithFixedDelay(this::audit, AUDIT_MS, AUDIT_MS, TimeUnit.MILLISECONDS);
        int budgetMs = Math.min(config.connectionTimeoutMs(), LONGEST_START_MS);
        try {
            claimed.get(budgetMs, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            LOG.error(
                    "not registered in ZooKeeper {} after {} ms: clients that look there do not find this broker;"
                            + " it serves those that know its address and goes on trying",
                    config.connect(),
                    budgetMs);
            return;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof BrokerIdTakenException taken) {
                throw taken;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        awaitTopics();
    }

    private void awaitTopics() {
        try {
            complete.get(LONGEST_TOPICS_MS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            LOG.info("still registering topics in ZooKeeper {}", config.connect());
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** To be called when topics came, went or changed; returns at once. */
    public void topicsChanged() {
        request(0);
    }

    /** To be called when the configuration file was read anew; replicas watch this figure. Returns at once. */
    public void configChanged(long checksum) {
        configChecksum = checksum;
        request(0);
    }

    /**
     * The other brokers that are registered with a topic, sorted by id. Any thread, returns at once; completes within seconds,
     * with ZooKeeper away by what was there when it was asked last.
     */
    public CompletionStage<List<RegisteredTopic>> others(String topic) {
        return others.of(topic);
    }

    /** Whether ZooKeeper shows this broker with its topics as of the last change that was carried out. */
    public boolean registered() {
        return registered;
    }

    /**
     * Takes the broker out of ZooKeeper and closes the session: at most 5 s. With ZooKeeper away the nodes go when the
     * session times out.
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        others.close();
        Future<?> leaving = thread.submit(this::leave);
        thread.shutdown();
        try {
            leaving.get(LONGEST_STOP_MS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            LOG.warn(
                    "ZooKeeper {} does not answer: this broker's entry stays until its session times out",
                    config.connect());
        } catch (ExecutionException e) {
            LOG.warn("could not take the broker out of ZooKeeper {}", config.connect(), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        thread.shutdownNow();
    }

    private void leave() {
        try {
            if (curator.getZookeeperClient().isConnected()) {
                claim.release(curator.getZookeeperClient().getZooKeeper());
            }
        } catch (Exception e) {
            LOG.warn("could not take the broker out of ZooKeeper {}: {}", config.connect(), e.toString());
        } finally {
            registered = false;
            // Ends the session: all its nodes go in one step.
            curator.close();
        }
    }

    private void connectionChanged(ConnectionState state) {
        switch (state) {
            case CONNECTED, RECONNECTED -> {
                LOG.info("ZooKeeper {}: {}", config.connect(), state);
                request(0);
            }
            case SUSPENDED -> LOG.warn("connection to ZooKeeper {} lost; the broker goes on serving", config.connect());
            case LOST -> {
                registered = false;
                LOG.error(
                        "session with ZooKeeper {} expired: clients that look there do not find this broker until it"
                                + " is back; goes on trying",
                        config.connect());
            }
            case READ_ONLY -> LOG.warn("ZooKeeper {} is read-only", config.connect());
        }
    }

    private void request(int delayMs) {
        if (requested.compareAndSet(false, true)) {
            try {
                thread.schedule(this::reconcile, delayMs, TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException e) {
                LOG.debug("closing: no further registration");
            }
        }
    }

    private void reconcile() {
        requested.set(false);
        // Not connected: the listener asks again.
        if (closed || !curator.getZookeeperClient().isConnected()) {
            return;
        }
        try {
            register(curator.getZookeeperClient().getZooKeeper());
            registered = true;
            complaint = null;
            complete.complete(null);
        } catch (BrokerIdTakenException e) {
            registered = false;
            complain(String.valueOf(e.getMessage()));
            claimed.completeExceptionally(e);
            request(RETRY_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            registered = false;
            complain(e.toString());
            request(RETRY_MS);
        }
    }

    /** Brokers before topics: a client that sees a topic here must find the address. */
    private void register(ZooKeeper zooKeeper) throws KeeperException, InterruptedException {
        if (zooKeeper.getSessionId() != session) {
            session = zooKeeper.getSessionId();
            nodes.forget();
            memory.add(session);
        }
        claim.claim(zooKeeper);
        claimed.complete(null);
        Map<String, String> wanted = new LinkedHashMap<>();
        wanted.put(paths.configChecksumNode(), Long.toString(configChecksum));
        if (broker.tlsPort() > 0) {
            wanted.put(RegistryPaths.tlsNode(config.root(), broker.id()), Integer.toString(broker.tlsPort()));
        }
        wanted.putAll(paths.topicNodes(topics.get()));
        nodes.update(zooKeeper, wanted);
    }

    /** Repairs what someone else deleted; a broker that nobody finds looks healthy from inside. */
    private void audit() {
        if (closed || !curator.getZookeeperClient().isConnected()) {
            return;
        }
        try {
            if (!claim.stillHeld(curator.getZookeeperClient().getZooKeeper())) {
                LOG.warn("this broker's entry in ZooKeeper {} is gone: registering anew", config.connect());
                nodes.forget();
                request(0);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            LOG.debug("could not look after the registration", e);
        }
    }

    private void complain(String what) {
        if (!what.equals(complaint)) {
            complaint = what;
            LOG.error(
                    "cannot register broker {} in ZooKeeper {}, goes on trying: {}",
                    broker.id(),
                    config.connect(),
                    what);
        }
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
