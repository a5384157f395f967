package io.metaq.client;

import io.metaq.client.net.LinkSettings;
import io.metaq.client.net.NetworkThreads;
import io.metaq.client.net.Transport;
import java.time.Duration;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** Settings of a client. Either {@link #servers(String)} or {@link #zookeeper} is needed. */
public final class MetaqClientBuilder {

    List<BrokerAddress> servers = List.of();

    @Nullable
    String zookeeper;

    String zookeeperRoot = "/meta";
    Duration zookeeperSessionTimeout = Duration.ofSeconds(30);
    Duration zookeeperConnectTimeout = Duration.ofSeconds(10);
    Duration connectTimeout = Duration.ofSeconds(3);
    Duration requestTimeout = Duration.ofSeconds(5);
    Duration heartbeatInterval = Duration.ofSeconds(10);
    Duration routeRefresh = Duration.ofSeconds(10);
    int maxFetchBytes = 128 << 20;
    int networkThreads = 1;
    boolean shareConnections;
    private boolean forCalls;
    boolean preferLoopback = true;
    String name = "java-client";

    LinkSettings.@Nullable Credentials login;

    @Nullable
    TlsSettings tls;

    Duration subscriberTimeout = Duration.ofSeconds(30);

    MetaqClientBuilder() {}

    /** Broker addresses, {@code host:port[,host:port...]}; other brokers are not discovered. */
    public MetaqClientBuilder servers(String addresses) {
        servers = BrokerAddress.parseList(addresses);
        return this;
    }

    /** Broker addresses. */
    public MetaqClientBuilder servers(List<BrokerAddress> addresses) {
        servers = List.copyOf(addresses);
        return this;
    }

    /**
     * Finds brokers by ZooKeeper, whose jar has to be on the class path.
     *
     * @param connect {@code host:port[,host:port...]}
     * @param root {@code /meta} unless the brokers are configured otherwise
     */
    public MetaqClientBuilder zookeeper(String connect, String root) {
        zookeeper = connect;
        zookeeperRoot = root;
        return this;
    }

    /** Finds brokers by ZooKeeper under the usual root. */
    public MetaqClientBuilder zookeeper(String connect) {
        return zookeeper(connect, "/meta");
    }

    /** Session timeout in ZooKeeper; 30 s by default. */
    public MetaqClientBuilder zookeeperSessionTimeout(Duration timeout) {
        zookeeperSessionTimeout = timeout;
        return this;
    }

    /** How long to wait for a TCP connection; 3 s by default. */
    public MetaqClientBuilder connectTimeout(Duration timeout) {
        connectTimeout = timeout;
        return this;
    }

    /** How long to wait for an answer where a call has no timeout of its own; 5 s by default. */
    public MetaqClientBuilder requestTimeout(Duration timeout) {
        requestTimeout = timeout;
        return this;
    }

    /** An idle connection is probed after this time, and closed when no answer comes in a request timeout; 10 s by default. */
    public MetaqClientBuilder heartbeatInterval(Duration interval) {
        heartbeatInterval = interval;
        return this;
    }

    /** How often routes are asked anew where nobody tells their change (no ZooKeeper); 10 s by default. */
    public MetaqClientBuilder routeRefresh(Duration interval) {
        routeRefresh = interval;
        return this;
    }

    /** Biggest message that is read, with its header; 128 MiB by default. */
    public MetaqClientBuilder maxFetchBytes(int bytes) {
        maxFetchBytes = bytes;
        return this;
    }

    /** Threads for the network, shared by all connections; 1 by default, which is enough for several GB/s on loopback. */
    public MetaqClientBuilder networkThreads(int threads) {
        networkThreads = threads;
        return this;
    }

    /**
     * Uses connections for sends, reads and routes, and network threads, that all clients of this process share which are made so with
     * the same user and other settings. For applications with many clients; what blocks in a callback of one then blocks the others.
     */
    public MetaqClientBuilder shareConnections() {
        shareConnections = true;
        return this;
    }

    /** Connects by loopback to a broker whose address is one of this machine's, where it listens there; true by default. */
    public MetaqClientBuilder preferLoopback(boolean prefer) {
        preferLoopback = prefer;
        return this;
    }

    /** Name told to brokers, for their logs; no blanks. */
    public MetaqClientBuilder name(String clientName) {
        name = clientName;
        return this;
    }

    /** Who to log in as. A broker that refuses it is not asked again: calls fail with {@link UnauthorizedException}. */
    public MetaqClientBuilder user(String userName, String password) {
        login = new LinkSettings.Credentials(userName, password);
        return this;
    }

    /**
     * Encrypts all connections to brokers; not by default. The addresses given are then those of the brokers' TLS ports; others are found
     * by what the brokers have registered in ZooKeeper.
     */
    public MetaqClientBuilder tls(TlsSettings settings) {
        tls = settings;
        return this;
    }

    /**
     * How long a call of a {@link io.metaq.client.subscription.SubscriberLink} may take, with reconnects and repetitions; 30 s by
     * default.
     */
    public MetaqClientBuilder subscriberTimeout(Duration timeout) {
        subscriberTimeout = timeout;
        return this;
    }

    /** The same for one broker, and for nothing but sends that somebody waits for. */
    MetaqClientBuilder forServer(BrokerAddress server) {
        MetaqClientBuilder same = new MetaqClientBuilder();
        same.servers = List.of(server);
        same.connectTimeout = connectTimeout;
        same.requestTimeout = requestTimeout;
        same.heartbeatInterval = heartbeatInterval;
        same.routeRefresh = routeRefresh;
        same.maxFetchBytes = maxFetchBytes;
        same.networkThreads = networkThreads;
        same.shareConnections = shareConnections;
        same.forCalls = shareConnections;
        same.preferLoopback = preferLoopback;
        same.name = name;
        same.login = login;
        same.tls = tls;
        same.subscriberTimeout = subscriberTimeout;
        return same;
    }

    /** To be closed by whoever asks for it. */
    Transport transport() {
        if (forCalls) {
            return Transport.forCalls(linkSettings());
        }
        return shareConnections
                ? Transport.shared(linkSettings())
                : new Transport(NetworkThreads.own(networkThreads), linkSettings());
    }

    LinkSettings linkSettings() {
        TlsSettings encrypted = tls;
        return new LinkSettings(
                (int) connectTimeout.toMillis(),
                (int) requestTimeout.toMillis(),
                (int) heartbeatInterval.toMillis(),
                maxFetchBytes,
                preferLoopback,
                name,
                login,
                encrypted == null ? null : encrypted.context());
    }

    /**
     * Makes the client. Connects to ZooKeeper if given; brokers are connected when first needed.
     *
     * @throws IllegalStateException when neither servers nor ZooKeeper are given
     * @throws IllegalArgumentException when a key or trust store cannot be read
     * @throws MetaqException when ZooKeeper is wanted and cannot be reached, or its classes are missing
     */
    public MetaqClient build() {
        String connect = zookeeper;
        if (connect == null && servers.isEmpty()) {
            throw new IllegalStateException("give servers(\"host:port\") or zookeeper(\"host:port\") before build()");
        }
        return new SharedClient(new ClientCore(this, connect == null ? null : cluster(connect)));
    }

    private Cluster cluster(String connect) {
        ClusterProvider provider = ServiceLoader.load(ClusterProvider.class, MetaqClientBuilder.class.getClassLoader())
                .findFirst()
                .orElseThrow(() -> Failures.local("no ZooKeeper support on the class path"));
        try {
            return provider.open(connect, zookeeperRoot, zookeeperSessionTimeout, zookeeperConnectTimeout, tls != null);
        } catch (NoClassDefFoundError e) {
            throw new MetaqException(
                    "zookeeper(...) needs org.apache.zookeeper:zookeeper on the class path, " + e.getMessage()
                            + " is missing",
                    e);
        }
    }
}
