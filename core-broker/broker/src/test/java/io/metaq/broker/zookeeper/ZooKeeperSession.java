package io.metaq.broker.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/** A plain session with the server under test, beside the one of the code under test. */
final class ZooKeeperSession implements AutoCloseable {
    /** The server derives a session's password from its id by this constant (ZooKeeperServer.superSecret). */
    private static final long PASSWORD_SEED = 0xB3415C00L;

    final ZooKeeper zooKeeper;

    ZooKeeperSession(String connect) throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        zooKeeper = new ZooKeeper(connect, 30_000, event -> {
            if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
            }
        });
        connected.await();
    }

    /** Ends a session as the server does when its time is up. */
    static void expire(String connect, long session) throws Exception {
        byte[] password = new byte[16];
        new Random(session ^ PASSWORD_SEED).nextBytes(password);
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper twin = new ZooKeeper(
                connect,
                30_000,
                event -> {
                    if (event.getState() == KeeperState.SyncConnected) {
                        connected.countDown();
                    }
                },
                session,
                password);
        connected.await();
        twin.close();
    }

    long owner(String path) throws Exception {
        Stat stat = zooKeeper.exists(path, false);
        return stat == null ? 0 : stat.getEphemeralOwner();
    }

    String data(String path) throws Exception {
        return new String(zooKeeper.getData(path, false, null), UTF_8);
    }

    void create(String path, String data, CreateMode mode) throws Exception {
        for (int slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
            if (zooKeeper.exists(path.substring(0, slash), false) == null) {
                zooKeeper.create(path.substring(0, slash), new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            }
        }
        zooKeeper.create(path, data.getBytes(UTF_8), Ids.OPEN_ACL_UNSAFE, mode);
    }

    /** Path to "E data" or "P data" of everything below a node. */
    Map<String, String> dump(String path) throws Exception {
        Map<String, String> nodes = new TreeMap<>();
        for (String child : zooKeeper.getChildren(path, false)) {
            String full = path + "/" + child;
            Stat stat = new Stat();
            byte[] data = zooKeeper.getData(full, false, stat);
            nodes.put(full, (stat.getEphemeralOwner() == 0 ? "P " : "E ") + new String(data, UTF_8));
            nodes.putAll(dump(full));
        }
        return nodes;
    }

    @Override
    public void close() throws InterruptedException {
        zooKeeper.close();
    }
}
