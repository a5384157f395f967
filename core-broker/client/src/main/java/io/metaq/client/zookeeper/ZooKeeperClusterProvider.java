package io.metaq.client.zookeeper;

import io.metaq.client.Cluster;
import io.metaq.client.ClusterProvider;
import io.metaq.client.MetaqException;
import java.time.Duration;

/** Opens ZooKeeper. */
public final class ZooKeeperClusterProvider implements ClusterProvider {

    @Override
    public Cluster open(
            String connect, String root, Duration sessionTimeout, Duration connectTimeout, boolean encrypted) {
        Session session = new Session(connect, sessionTimeout);
        try {
            session.awaitConnected(connectTimeout);
            return new ZooKeeperCluster(session, root, connectTimeout, encrypted);
        } catch (MetaqException e) {
            session.close();
            throw e;
        }
    }
}
