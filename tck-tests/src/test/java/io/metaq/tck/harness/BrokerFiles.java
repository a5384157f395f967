package io.metaq.tck.harness;

import io.metaq.testkit.net.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** A broker's data directory and the {@code server.ini} to start it with, on a port that restarts keep. */
public final class BrokerFiles {
    private final Path directory;
    private final Path data;
    private final Map<String, String> system = new LinkedHashMap<>();
    private final Map<String, String> zookeeper = new LinkedHashMap<>();
    private final Map<String, Map<String, String>> topics = new LinkedHashMap<>();

    private BrokerFiles(Path directory, Path data) {
        this.directory = directory;
        this.data = data;
        system.put("brokerId", "0");
        system.put("bindAddress", "127.0.0.1");
        system.put("hostName", "127.0.0.1");
        system.put("serverPort", Integer.toString(FreePort.find()));
        system.put("dataPath", data.toString());
        system.put("journalSegmentSize", Integer.toString(4 * 1024 * 1024));
        system.put("maxMessageSize", Integer.toString(2 * 1024 * 1024));
        system.put("diskWatermarkBytes", "0");
        zookeeper.put("zk.zkEnable", "false");
    }

    /** Configuration and data under one directory. */
    public static BrokerFiles in(Path directory) {
        return new BrokerFiles(directory, directory.resolve("data"));
    }

    /** Data elsewhere, such as on a file system that will fail. */
    public static BrokerFiles in(Path directory, Path data) {
        return new BrokerFiles(directory, data);
    }

    public BrokerFiles set(String key, Object value) {
        system.put(key, value.toString());
        return this;
    }

    /** A topic that answers when messages are on disk. */
    public BrokerFiles diskTopic(String name, int partitions) {
        return topic(name, Map.of("numPartitions", Integer.toString(partitions), "unflushThreshold", "0"));
    }

    /** A topic that answers when the operating system has the messages. */
    public BrokerFiles osTopic(String name, int partitions) {
        return topic(name, Map.of("numPartitions", Integer.toString(partitions), "unflushThreshold", "1000"));
    }

    public BrokerFiles topic(String name, Map<String, String> settings) {
        topics.put(name, settings);
        return this;
    }

    public BrokerFiles zookeeper(String address) {
        zookeeper.put("zk.zkEnable", "true");
        zookeeper.put("zk.zkConnect", address);
        zookeeper.put("zk.zkSessionTimeoutMs", "10000");
        zookeeper.put("zk.zkConnectionTimeoutMs", "10000");
        zookeeper.put("zk.zkSyncTimeMs", "300");
        return this;
    }

    public int port() {
        return Integer.parseInt(system.get("serverPort"));
    }

    public Path data() {
        return data;
    }

    /** Writes the file anew. */
    public Path write() {
        var ini = new StringBuilder();
        section(ini, "system", system);
        section(ini, "zookeeper", zookeeper);
        topics.forEach((name, settings) -> section(ini, "topic=" + name, settings));
        try {
            Files.createDirectories(directory);
            return Files.writeString(directory.resolve("server.ini"), ini);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void section(StringBuilder ini, String name, Map<String, String> settings) {
        ini.append('[').append(name).append("]\n");
        settings.forEach(
                (key, value) -> ini.append(key).append('=').append(value).append('\n'));
    }
}
