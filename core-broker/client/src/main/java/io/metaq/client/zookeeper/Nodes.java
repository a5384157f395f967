package io.metaq.client.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/** Single steps on nodes. Only requests that a ZooKeeper 3.4 server knows, for such stand beside 1.4 brokers. */
final class Nodes {
    private Nodes() {}

    /** Children; none if the node is missing, and then the watcher learns of its coming. */
    static List<String> children(ZooKeeper zooKeeper, String path, @Nullable Watcher watcher)
            throws KeeperException, InterruptedException {
        while (true) {
            try {
                return zooKeeper.getChildren(path, watcher);
            } catch (KeeperException.NoNodeException e) {
                if (zooKeeper.exists(path, watcher) == null) {
                    return List.of();
                }
            }
        }
    }

    /** Data as text; null if the node is missing, and then the watcher learns of its coming. */
    static @Nullable String text(ZooKeeper zooKeeper, String path, @Nullable Watcher watcher)
            throws KeeperException, InterruptedException {
        while (true) {
            try {
                return text(zooKeeper.getData(path, watcher, null));
            } catch (KeeperException.NoNodeException e) {
                if (zooKeeper.exists(path, watcher) == null) {
                    return null;
                }
            }
        }
    }

    /** Data as text with its node's state; null if the node is missing. */
    static @Nullable String textAndStat(ZooKeeper zooKeeper, String path, Stat stat)
            throws KeeperException, InterruptedException {
        try {
            return text(zooKeeper.getData(path, null, stat));
        } catch (KeeperException.NoNodeException e) {
            return null;
        }
    }

    private static String text(byte @Nullable [] data) {
        return data == null ? "" : new String(data, UTF_8);
    }

    /** Creates a node and what is missing above it. */
    static void create(ZooKeeper zooKeeper, String path, String data, CreateMode mode)
            throws KeeperException, InterruptedException {
        while (true) {
            try {
                zooKeeper.create(path, data.getBytes(UTF_8), Ids.OPEN_ACL_UNSAFE, mode);
                return;
            } catch (KeeperException.NoNodeException e) {
                createParents(zooKeeper, path);
            }
        }
    }

    private static void createParents(ZooKeeper zooKeeper, String path) throws KeeperException, InterruptedException {
        for (int slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
            String parent = path.substring(0, slash);
            if (zooKeeper.exists(parent, false) == null) {
                try {
                    zooKeeper.create(parent, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
                } catch (KeeperException.NodeExistsException e) {
                    continue; // somebody else came first, as good
                }
            }
        }
    }

    /**
     * Creates an ephemeral node, or finds that it is there already.
     *
     * @return null if it is this session's with this data; else the data of whoever holds it
     */
    static @Nullable String claim(Session session, ZooKeeper zooKeeper, String path, String data)
            throws KeeperException, InterruptedException {
        while (true) {
            try {
                create(zooKeeper, path, data, CreateMode.EPHEMERAL);
                return null;
            } catch (KeeperException.NodeExistsException e) {
                Stat stat = new Stat();
                String holder = textAndStat(zooKeeper, path, stat);
                if (holder == null) {
                    continue;
                }
                if (!holder.equals(data)) {
                    return holder;
                }
                if (stat.getEphemeralOwner() == zooKeeper.getSessionId()) {
                    return null; // ours: the answer to an earlier request was lost
                }
                if (!session.isFormer(stat.getEphemeralOwner())) {
                    return holder;
                }
                delete(zooKeeper, path);
            }
        }
    }

    /** Deletes the node if it belongs to the present session. */
    static void disclaim(ZooKeeper zooKeeper, String path) throws KeeperException, InterruptedException {
        Stat stat = zooKeeper.exists(path, false);
        if (stat != null && stat.getEphemeralOwner() == zooKeeper.getSessionId()) {
            delete(zooKeeper, path);
        }
    }

    /** Lets an ephemeral node of ours go and come in one step, so that whoever watches its folder looks again. */
    static void renew(ZooKeeper zooKeeper, String path, String data) throws KeeperException, InterruptedException {
        zooKeeper.multi(List.of(
                Op.delete(path, -1), Op.create(path, data.getBytes(UTF_8), Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL)));
    }

    private static void delete(ZooKeeper zooKeeper, String path) throws KeeperException, InterruptedException {
        try {
            zooKeeper.delete(path, -1);
        } catch (KeeperException.NoNodeException e) {
            return; // gone: what was wanted
        }
    }
}
