package io.metaq.client.zookeeper;

import io.metaq.client.BrokerAddress;
import io.metaq.client.BrokerNode;
import io.metaq.client.Route;
import io.metaq.client.RouteSource.Use;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads what brokers have registered. */
final class BrokerNodes {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerNodes.class);

    private final ZooKeeperPaths paths;
    private final boolean encrypted;

    /** @param encrypted whether brokers are to be reached by TLS: those that registered no port for it are left out */
    BrokerNodes(ZooKeeperPaths paths, boolean encrypted) {
        this.paths = paths;
        this.encrypted = encrypted;
    }

    /** All masters, sorted by id. */
    List<BrokerNode> masters(ZooKeeper zooKeeper) throws KeeperException, InterruptedException {
        Map<Integer, BrokerNode> masters = new TreeMap<>();
        for (String child : Nodes.children(zooKeeper, paths.brokers(), null)) {
            if (child.chars().allMatch(Character::isDigit)) {
                int id = Integer.parseInt(child);
                BrokerAddress address = master(zooKeeper, id, null);
                if (address != null) {
                    masters.put(id, new BrokerNode(id, address));
                }
            }
        }
        return List.copyOf(masters.values());
    }

    /** Whether the broker has a living master; the watcher is told once when that changes. */
    boolean hasMaster(ZooKeeper zooKeeper, int broker, @Nullable Watcher watcher)
            throws KeeperException, InterruptedException {
        return zooKeeper.exists(paths.master(broker), watcher) != null;
    }

    /**
     * Partition count by broker id. For reading, a master and its replicas count as one broker with the larger number.
     *
     * @param watcher told once when anything of this changes
     */
    Map<Integer, Integer> partitions(ZooKeeper zooKeeper, String topic, Use use, @Nullable Watcher watcher)
            throws KeeperException, InterruptedException {
        Map<Integer, Integer> partitions = new TreeMap<>();
        String folder = paths.topic(topic, use);
        for (String child : Nodes.children(zooKeeper, folder, watcher)) {
            String data = Nodes.text(zooKeeper, folder + "/" + child, watcher);
            TopicNode node = data == null ? null : TopicNode.parse(child, data);
            if (node != null && (node.master() || use == Use.SUBSCRIBE)) {
                partitions.merge(node.broker(), node.partitions(), Math::max);
            }
        }
        return partitions;
    }

    /** Where the topic lives; brokers without a living process are left out. */
    Route route(ZooKeeper zooKeeper, String topic, Use use, Watcher watcher)
            throws KeeperException, InterruptedException {
        List<Route.Entry> entries = new ArrayList<>();
        for (Map.Entry<Integer, Integer> count :
                partitions(zooKeeper, topic, use, watcher).entrySet()) {
            int id = count.getKey();
            BrokerAddress address = master(zooKeeper, id, watcher);
            if (address == null && use == Use.SUBSCRIBE && !encrypted) {
                address = replica(zooKeeper, id, watcher);
            }
            if (address != null) {
                entries.add(new Route.Entry(new BrokerNode(id, address), count.getValue()));
            }
        }
        return new Route(topic, entries);
    }

    private @Nullable BrokerAddress master(ZooKeeper zooKeeper, int id, @Nullable Watcher watcher)
            throws KeeperException, InterruptedException {
        BrokerAddress plain = address(Nodes.text(zooKeeper, paths.master(id), watcher));
        if (plain == null || !encrypted) {
            return plain;
        }
        String port = Nodes.text(zooKeeper, paths.tlsPort(id), watcher);
        if (port == null) {
            return null;
        }
        try {
            return new BrokerAddress(plain.host(), Integer.parseInt(port.strip()));
        } catch (IllegalArgumentException e) {
            LOG.warn("skipping broker {}, whose registered port for TLS is '{}'", id, port);
            return null;
        }
    }

    private @Nullable BrokerAddress replica(ZooKeeper zooKeeper, int broker, Watcher watcher)
            throws KeeperException, InterruptedException {
        String folder = paths.broker(broker);
        for (String child : Nodes.children(zooKeeper, folder, watcher)) {
            if (child.startsWith("slave")) {
                BrokerAddress address = address(Nodes.text(zooKeeper, folder + "/" + child, watcher));
                if (address != null) {
                    return address;
                }
            }
        }
        return null;
    }

    private static @Nullable BrokerAddress address(@Nullable String url) {
        if (url == null || url.isBlank()) {
            return null;
        }
        try {
            return BrokerAddress.parse(url);
        } catch (IllegalArgumentException e) {
            LOG.warn("skipping a broker whose registered address is '{}'", url);
            return null;
        }
    }
}
