package io.metaq.client;

import io.metaq.client.net.ServerInfo;
import io.metaq.client.net.Transport.Purpose;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides where a consumer keeps its offsets. */
final class ConsumerOffsets {

    private static final Logger LOG = LoggerFactory.getLogger(ConsumerOffsets.class);

    private ConsumerOffsets() {}

    /**
     * The store by the application's choice; without one the broker, or ZooKeeper if a broker is too old for that.
     *
     * @throws UnsupportedByBrokerException when a broker is too old and nothing else was chosen
     */
    static OffsetStore choose(ClientCore core, ConsumerBuilder settings) {
        OffsetStore given = settings.offsetStore;
        if (given != null) {
            return given;
        }
        if (settings.broadcast != null) {
            return OffsetStore.file(settings.broadcast);
        }
        Cluster cluster = core.cluster();
        if (settings.offsetsInZooKeeper && cluster == null) {
            throw new IllegalStateException("offsetsInZooKeeper() needs a client made with zookeeper(...)");
        }
        BrokerAddress old = settings.offsetsInZooKeeper ? null : oldBroker(core);
        if (cluster != null && (settings.offsetsInZooKeeper || old != null)) {
            return cluster.offsets();
        }
        if (old != null) {
            throw Failures.needsModern("keeping offsets (choose an offsetStore(...) of your own)", old);
        }
        return new BrokerOffsetStore(core);
    }

    /** A broker that speaks the 1.4 protocol only, null if none of those that answer does. */
    static @org.jspecify.annotations.Nullable BrokerAddress oldBroker(ClientCore core) {
        for (BrokerNode node : core.nodes()) {
            try {
                ServerInfo info = Calls.await(
                        Calls.identify(
                                core.brokers().link(node.address(), Purpose.CONTROL),
                                node.address(),
                                "version",
                                core.requestTimeout().toMillis()),
                        "version",
                        core.requestTimeout().plusSeconds(1));
                if (!info.modern()) {
                    return node.address();
                }
            } catch (MetaqException e) {
                LOG.debug("cannot tell the version of {}", node, e);
            }
        }
        return null;
    }
}
