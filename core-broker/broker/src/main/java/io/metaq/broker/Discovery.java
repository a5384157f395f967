package io.metaq.broker;

import io.metaq.broker.command.TopicCatalog;
import io.metaq.broker.command.TopicDirectory;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.config.TopicConfig;
import io.metaq.broker.net.Listener;
import io.metaq.broker.zookeeper.BrokerIdTakenException;
import io.metaq.broker.zookeeper.BrokerInfo;
import io.metaq.broker.zookeeper.BrokerRegistration;
import io.metaq.broker.zookeeper.EmbeddedZooKeeper;
import io.metaq.broker.zookeeper.TopicRegistration;
import io.metaq.broker.zookeeper.ZooKeeperConfig;
import io.metaq.state.BrokerState;
import io.metaq.state.Partition;
import io.metaq.state.Topic;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** How clients find this broker: its entry in ZooKeeper, and a ZooKeeper of its own where the configuration asks for it. */
final class Discovery implements AutoCloseable {
    private final @Nullable EmbeddedZooKeeper embedded;
    private final @Nullable BrokerRegistration registration;
    private final String connectString;

    private Discovery(
            @Nullable EmbeddedZooKeeper embedded, @Nullable BrokerRegistration registration, String connectString) {
        this.embedded = embedded;
        this.registration = registration;
        this.connectString = connectString;
    }

    /** @throws IOException if another broker has this one's number, or the embedded server cannot start */
    static Discovery start(BrokerConfig config, Listener listener, BrokerState state, TopicCatalog topics)
            throws IOException {
        var settings = config.zookeeper();
        if (!settings.enabled()) {
            return new Discovery(null, null, "");
        }
        EmbeddedZooKeeper embedded = settings.embedded()
                ? EmbeddedZooKeeper.start(
                        settings.embeddedDataPath(),
                        new InetSocketAddress(config.bindAddress(), settings.embeddedPort()))
                : null;
        String connect = embedded == null ? settings.connect() : embedded.connectString();
        try {
            BrokerRegistration registration = BrokerRegistration.start(
                    new ZooKeeperConfig(
                            connect, settings.root(), settings.sessionTimeoutMs(), settings.connectionTimeoutMs()),
                    new BrokerInfo(
                            config.brokerId(),
                            config.advertisedHost(),
                            listener.port(),
                            listener.tlsPort(),
                            config.checksum()),
                    config.dataPath().resolve("zookeeper-sessions"),
                    () -> registrations(state, topics));
            return new Discovery(embedded, registration, connect);
        } catch (BrokerIdTakenException e) {
            close(embedded);
            throw new IOException(e.getMessage(), e);
        } catch (RuntimeException e) {
            close(embedded);
            throw e;
        }
    }

    private static Collection<TopicRegistration> registrations(BrokerState state, TopicCatalog topics) {
        List<TopicRegistration> registrations = new ArrayList<>();
        for (Topic topic : state.topics()) {
            TopicConfig settings = topics.settings(topic);
            boolean publish = Arrays.stream(topic.partitions()).anyMatch(Partition::publishOpen);
            boolean subscribe = Arrays.stream(topic.partitions()).anyMatch(Partition::subscribeOpen);
            registrations.add(new TopicRegistration(
                    topic.name(),
                    topic.partitionCount(),
                    settings.acceptPublish() && publish,
                    settings.acceptSubscribe() && subscribe));
        }
        return registrations;
    }

    void topicsChanged() {
        if (registration != null) {
            registration.topicsChanged();
        }
    }

    /** The other brokers that have a topic. Any thread; completes within seconds, whatever ZooKeeper does. */
    CompletionStage<List<TopicDirectory.Place>> elsewhere(String topic) {
        if (registration == null) {
            return TopicDirectory.NOBODY.elsewhere(topic);
        }
        return registration
                .others(topic)
                .thenApply(others -> others.stream()
                        .map(other -> new TopicDirectory.Place(
                                other.broker(),
                                other.address(),
                                other.tlsPort(),
                                other.topic().partitions(),
                                other.topic().acceptPublish(),
                                other.topic().acceptSubscribe()))
                        .toList());
    }

    String connectString() {
        return connectString;
    }

    /** Takes the broker's entry away, so that clients look elsewhere. */
    void unregister() {
        if (registration != null) {
            registration.close();
        }
    }

    /** Ends the embedded server, if there is one; after {@link #unregister}. */
    @Override
    public void close() {
        close(embedded);
    }

    private static void close(@Nullable EmbeddedZooKeeper embedded) {
        if (embedded != null) {
            embedded.close();
        }
    }
}
