package io.metaq.client.zookeeper;

import io.metaq.client.BalanceRule;
import io.metaq.client.Cluster;
import io.metaq.client.GroupMembership;
import io.metaq.client.OffsetStore;
import io.metaq.client.RouteSource;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** All that a client keeps in ZooKeeper, over one session. */
final class ZooKeeperCluster implements Cluster {
    private final Session session;
    private final ZooKeeperPaths paths;
    private final BrokerNodes brokerNodes;
    private final ZooKeeperRoutes routes;
    private final ZooKeeperOffsets offsets;
    private final Duration connectTimeout;
    private final List<ZooKeeperMembership> memberships = new CopyOnWriteArrayList<>();

    ZooKeeperCluster(Session session, String root, Duration connectTimeout, boolean encrypted) {
        this.session = session;
        this.paths = new ZooKeeperPaths(root);
        this.brokerNodes = new BrokerNodes(paths, encrypted);
        this.routes = new ZooKeeperRoutes(session, brokerNodes, Absence.Patience.USUAL);
        this.offsets = new ZooKeeperOffsets(session, paths);
        this.connectTimeout = connectTimeout;
    }

    @Override
    public RouteSource routes() {
        return routes;
    }

    @Override
    public GroupMembership join(
            String group, String member, Set<String> topics, BalanceRule rule, GroupMembership.Listener listener) {
        session.awaitConnected(connectTimeout);
        String name = member.startsWith(group + "_") ? member : group + "_" + member;
        GroupView view = new GroupView(paths, brokerNodes, group, name, topics, rule);
        ZooKeeperMembership membership =
                ZooKeeperMembership.join(session, new OwnerNodes(session, paths, view), view, listener);
        memberships.removeIf(ZooKeeperMembership::isClosed);
        memberships.add(membership);
        return membership;
    }

    @Override
    public OffsetStore offsets() {
        return offsets;
    }

    @Override
    public void close() {
        routes.close();
        session.close();
        // After the session: nothing is left for them to give up, so they end at once.
        memberships.forEach(ZooKeeperMembership::close);
    }
}
