package io.metaq.client.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import io.metaq.testkit.net.FreePort;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;

/** A real ZooKeeper in this process, with a session of its own to look and to play brokers and old members. */
final class TestZooKeeper implements AutoCloseable {
    private static final int TICK_MS = 200;
    /** The server derives a session's password from its id by this constant (ZooKeeperServer.superSecret). */
    private static final long PASSWORD_SEED = 0xB3415C00L;

    static {
        // It outlives no crash in these tests, and a slow disk would make every change take tenths of a second.
        System.setProperty("zookeeper.forceSync", "no");
    }

    private final Path directory;
    private NIOServerCnxnFactory connections;
    private FileTxnSnapLog files;
    private final int port;
    final ZooKeeper zooKeeper;

    TestZooKeeper(Path directory) throws Exception {
        this.directory = Files.createDirectories(directory);
        port = FreePort.find();
        startServer(port);
        zooKeeper = open(0, new byte[0]);
    }

    String connect() {
        return "127.0.0.1:" + port;
    }

    int port() {
        return port;
    }

    void stopServer() throws Exception {
        connections.shutdown();
        files.close();
    }

    void startServerAgain() throws Exception {
        startServer(port);
        await().atMost(Duration.ofSeconds(30)).until(() -> zooKeeper.getState().isConnected());
    }

    private void startServer(int at) throws Exception {
        files = new FileTxnSnapLog(directory.toFile(), directory.toFile());
        connections = new NIOServerCnxnFactory();
        connections.configure(new InetSocketAddress(InetAddress.getLoopbackAddress(), at), 0);
        connections.startup(new ZooKeeperServer(files, TICK_MS, 2 * TICK_MS, 60_000, -1, null, ""));
    }

    /** Ends a session as the server does when its time is up. */
    void expire(long session) throws Exception {
        byte[] password = new byte[16];
        new Random(session ^ PASSWORD_SEED).nextBytes(password);
        open(session, password).close();
    }

    private ZooKeeper open(long session, byte[] password) throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper opened = new ZooKeeper(
                connect(),
                30_000,
                event -> {
                    if (event.getState() == KeeperState.SyncConnected) {
                        connected.countDown();
                    }
                },
                session,
                password);
        connected.await();
        return opened;
    }

    /** What a broker with one topic registers. */
    enum BrokerPart {
        BROKER,
        TO_PUBLISH,
        TO_SUBSCRIBE;

        private String path(int id, String topic) {
            return switch (this) {
                case BROKER -> "/meta/brokers/ids/" + id + "/master";
                case TO_PUBLISH -> "/meta/brokers/topics-pub/" + topic + "/" + id + "-m";
                case TO_SUBSCRIBE -> "/meta/brokers/topics-sub/" + topic + "/" + id + "-m";
            };
        }
    }

    void create(BrokerPart part, int id, String topic, int partitions) throws Exception {
        String data = part == BrokerPart.BROKER
                ? "meta://127.0.0.1:" + (9000 + id)
                : "{\"broker\":\"" + id + "-m\",\"numParts\":" + partitions + "}";
        put(part.path(id, topic), data, CreateMode.EPHEMERAL);
    }

    void delete(BrokerPart part, int id, String topic) throws Exception {
        zooKeeper.delete(part.path(id, topic), -1);
    }

    /** Registers a broker that is not there with a topic. */
    void broker(int id, String topic, int partitions) throws Exception {
        if (zooKeeper.exists(BrokerPart.BROKER.path(id, topic), false) == null) {
            create(BrokerPart.BROKER, id, topic, partitions);
        }
        create(BrokerPart.TO_PUBLISH, id, topic, partitions);
        create(BrokerPart.TO_SUBSCRIBE, id, topic, partitions);
    }

    /** Takes a topic off a broker, and the broker too. */
    void brokerGone(int id, String topic) throws Exception {
        delete(BrokerPart.BROKER, id, topic);
        topicGone(id, topic);
    }

    void topicGone(int id, String topic) throws Exception {
        delete(BrokerPart.TO_PUBLISH, id, topic);
        delete(BrokerPart.TO_SUBSCRIBE, id, topic);
    }

    void put(String path, String data, CreateMode mode) throws Exception {
        for (int slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
            try {
                zooKeeper.create(path.substring(0, slash), new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            } catch (KeeperException.NodeExistsException e) {
                continue;
            }
        }
        zooKeeper.create(path, data.getBytes(UTF_8), Ids.OPEN_ACL_UNSAFE, mode);
    }

    /** Null if missing. */
    String get(String path) throws Exception {
        try {
            return new String(zooKeeper.getData(path, false, null), UTF_8);
        } catch (KeeperException.NoNodeException e) {
            return null;
        }
    }

    long session(String path) throws Exception {
        Stat stat = zooKeeper.exists(path, false);
        return stat == null ? 0 : stat.getEphemeralOwner();
    }

    @Override
    public void close() throws Exception {
        zooKeeper.close();
        stopServer();
    }
}
