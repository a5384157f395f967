package io.metaq.broker.zookeeper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.PurgeTxnLog;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.apache.zookeeper.util.ServiceUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One ZooKeeper server inside the broker's process, for a broker that shall run without anything else. It has no
 * authentication: bind it to loopback. Not for a cluster: it is gone when this process is.
 */
public final class EmbeddedZooKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedZooKeeper.class);
    private static final int TICK_MS = 500;
    private static final int LONGEST_SESSION_MS = 120_000;
    private static final int SNAPSHOTS_KEPT = 3;
    private static final int UNLIMITED_CONNECTIONS = 0;

    private final ServerCnxnFactory connections;
    private final FileTxnSnapLog files;

    private EmbeddedZooKeeper(ServerCnxnFactory connections, FileTxnSnapLog files) {
        this.connections = connections;
        this.files = files;
    }

    /**
     * Starts the server and returns when it takes connections.
     *
     * @param dataDir where snapshots and transaction log go; created if missing
     * @param bind address and port, 0 = any free port
     * @throws IOException if the directory or the port cannot be used
     */
    public static EmbeddedZooKeeper start(Path dataDir, InetSocketAddress bind) throws IOException {
        // A fatal fault of the server must not end the broker's process with System.exit.
        ServiceUtils.setSystemExitProcedure(ServiceUtils.LOG_ONLY);
        Files.createDirectories(dataDir);
        FileTxnSnapLog files = new FileTxnSnapLog(dataDir.toFile(), dataDir.toFile());
        ServerCnxnFactory connections = new NIOServerCnxnFactory();
        boolean started = false;
        try {
            PurgeTxnLog.purge(dataDir.toFile(), dataDir.toFile(), SNAPSHOTS_KEPT);
            ZooKeeperServer server = new ZooKeeperServer(files, TICK_MS, 2 * TICK_MS, LONGEST_SESSION_MS, -1, null, "");
            connections.configure(bind, UNLIMITED_CONNECTIONS);
            connections.startup(server);
            started = true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the embedded ZooKeeper started", e);
        } finally {
            if (!started) {
                connections.shutdown();
                files.close();
            }
        }
        LOG.info("embedded ZooKeeper listens on {}, data in {}", connections.getLocalAddress(), dataDir);
        return new EmbeddedZooKeeper(connections, files);
    }

    public int port() {
        return connections.getLocalPort();
    }

    /** {@code host:port} for clients of this machine. */
    public String connectString() {
        InetSocketAddress address = connections.getLocalAddress();
        String host = address.getAddress().isAnyLocalAddress() ? "127.0.0.1" : address.getHostString();
        return host + ":" + address.getPort();
    }

    @Override
    public void close() {
        connections.shutdown();
        try {
            files.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
