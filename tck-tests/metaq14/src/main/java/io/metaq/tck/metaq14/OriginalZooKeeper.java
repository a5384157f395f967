package io.metaq.tck.metaq14;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

/** ZooKeeper 3.4.3, as MetaQ 1.4 embedded it, on a free loopback port. Argument: directory. Tells {@code * started PORT}. */
public final class OriginalZooKeeper {
    private static final int TICK_MS = 500;
    private static final int CONNECTIONS = 200;

    private OriginalZooKeeper() {}

    public static void main(String[] arguments) throws Exception {
        var loop = new DriverLoop();
        loop.event("started", start(Path.of(arguments[0])));
        loop.run((verb, ignored) -> List.of());
        Runtime.getRuntime().halt(0);
    }

    static int start(Path directory) throws Exception {
        var server = new ZooKeeperServer(
                directory.resolve("snapshots").toFile(),
                directory.resolve("log").toFile(),
                TICK_MS);
        var factory = new NIOServerCnxnFactory();
        factory.configure(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), CONNECTIONS);
        factory.startup(server);
        return factory.getLocalPort();
    }
}
