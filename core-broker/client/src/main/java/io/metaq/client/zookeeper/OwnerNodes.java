package io.metaq.client.zookeeper;

import io.metaq.client.TopicPartition;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The nodes that say which member owns which partition. Whoever made the node owns the partition; nobody else reads it.
 * Used by the membership's thread.
 */
final class OwnerNodes {
    private static final Logger LOG = LoggerFactory.getLogger(OwnerNodes.class);
    private static final long COMPLAIN_AFTER_NANOS = 10_000_000_000L;
    private static final long COMPLAIN_AGAIN_NANOS = 60_000_000_000L;

    private final Session session;
    private final ZooKeeperPaths paths;
    private final GroupView view;
    private final Map<TopicPartition, Long> complainAt = new HashMap<>();

    OwnerNodes(Session session, ZooKeeperPaths paths, GroupView view) {
        this.session = session;
        this.paths = paths;
        this.view = view;
    }

    /**
     * Tries to claim partitions. For those held by others, the watcher is told when they are let go.
     *
     * @return those that are this member's now
     */
    Set<TopicPartition> claim(ZooKeeper zooKeeper, Collection<TopicPartition> wanted, Watcher watcher)
            throws KeeperException, InterruptedException {
        Set<TopicPartition> claimed = new HashSet<>();
        complainAt.keySet().retainAll(wanted);
        for (TopicPartition partition : wanted) {
            String path = paths.owner(view.group(), partition);
            String holder = Nodes.claim(session, zooKeeper, path, view.member());
            if (holder == null) {
                claimed.add(partition);
                complainAt.remove(partition);
            } else {
                waitFor(partition, holder);
                zooKeeper.exists(path, watcher);
            }
        }
        return claimed;
    }

    void release(ZooKeeper zooKeeper, TopicPartition partition) throws KeeperException, InterruptedException {
        Nodes.disclaim(zooKeeper, path(partition));
    }

    String path(TopicPartition partition) {
        return paths.owner(view.group(), partition);
    }

    private void waitFor(TopicPartition partition, String holder) {
        long now = System.nanoTime();
        Long due = complainAt.get(partition);
        if (due == null) {
            LOG.info("{}: waiting until {} lets go of {}", view.member(), holder, partition);
            complainAt.put(partition, now + COMPLAIN_AFTER_NANOS);
        } else if (now - due > 0) {
            LOG.warn(
                    "{}: {} still holds {}, which should be read here: goes on waiting. If that member hangs, stop it",
                    view.member(),
                    holder,
                    partition);
            complainAt.put(partition, now + COMPLAIN_AGAIN_NANOS);
        }
    }
}
