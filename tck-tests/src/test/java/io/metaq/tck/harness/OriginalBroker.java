package io.metaq.tck.harness;

import io.metaq.testkit.net.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The original broker 1.4.6.2 in a process of its own. */
public final class OriginalBroker implements AutoCloseable {
    private static final String INI = """
            [system]
            brokerId=%d
            hostName=127.0.0.1
            serverPort=%d
            dataPath=%s
            numPartitions=2
            unflushThreshold=1
            unflushInterval=100
            maxSegmentSize=1073741824
            maxTransferSize=1048576
            stat=true
            updateConsumerOffsets=false
            [zookeeper]
            zk.zkEnable=true
            zk.zkConnect=%s
            zk.zkSessionTimeoutMs=10000
            zk.zkConnectionTimeoutMs=10000
            zk.zkSyncTimeMs=300
            """;

    private final Driver driver;
    private final int port;

    private OriginalBroker(Driver driver, int port) {
        this.driver = driver;
        this.port = port;
        driver.nextEvent(Duration.ofSeconds(60));
    }

    /** A broker that registers in the ZooKeeper at {@code HOST:PORT}, with topics of two partitions each. */
    public static OriginalBroker start(Path directory, String zooKeeper, String... topics) {
        int port = FreePort.find();
        var ini = new StringBuilder(INI.formatted(7, port, directory.resolve("data"), zooKeeper));
        for (String topic : topics) {
            ini.append("[topic=").append(topic).append("]\n").append("numPartitions=2\n");
        }
        try {
            Files.createDirectories(directory);
            Path file = Files.writeString(directory.resolve("server.ini"), ini);
            return new OriginalBroker(Driver.start("OriginalBroker", file.toString()), port);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@code HOST:PORT}. */
    public String address() {
        return "127.0.0.1:" + port;
    }

    public void kill9() {
        driver.process().kill9();
    }

    @Override
    public void close() {
        driver.close();
    }
}
