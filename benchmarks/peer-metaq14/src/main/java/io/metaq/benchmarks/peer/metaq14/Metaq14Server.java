package io.metaq.benchmarks.peer.metaq14;

import com.taobao.metamorphosis.server.assembly.EmbedZookeeperServer;
import com.taobao.metamorphosis.server.assembly.MetaMorphosisBroker;
import com.taobao.metamorphosis.server.utils.MetaConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The original broker with its embedded ZooKeeper. Arguments: an empty directory, a port, a port for ZooKeeper.
 *
 * <p>It has no command that makes a topic: {@value #TOPICS} topics of each durability stand in its configuration.
 */
final class Metaq14Server {

    static final int TOPICS = 400;

    private Metaq14Server() {}

    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[0]);
        Files.createDirectories(directory.resolve("data"));
        System.setProperty("zk.server.port", args[2]);
        System.setProperty(
                "zk.server.snapDirectory", directory.resolve("zookeeper").toString());
        System.setProperty(
                "zk.server.logDirectory", directory.resolve("zookeeper").toString());
        EmbedZookeeperServer.getInstance().start();
        Path ini = directory.resolve("server.ini");
        Files.write(ini, configuration(directory, args[1], args[2]));
        MetaConfig config = new MetaConfig();
        config.loadFromFile(ini.toString());
        new MetaMorphosisBroker(config).start();
    }

    /** The values of the {@code server.ini} that 1.4 shipped with, but for addresses and topics. */
    private static List<String> configuration(Path directory, String port, String zookeeperPort) {
        List<String> lines = new ArrayList<>(List.of(
                "[system]",
                "brokerId=0",
                "hostName=127.0.0.1",
                "serverPort=" + port,
                "dashboardHttpPort=0",
                "dataPath=" + directory.resolve("data"),
                "numPartitions=1",
                "unflushThreshold=0",
                "unflushInterval=10000",
                "maxSegmentSize=1073741824",
                "maxTransferSize=1048576",
                "deletePolicy=delete,168",
                "updateConsumerOffsets=false",
                "[zookeeper]",
                "zk.zkConnect=127.0.0.1:" + zookeeperPort,
                "zk.zkSessionTimeoutMs=30000",
                "zk.zkConnectionTimeoutMs=30000",
                "zk.zkSyncTimeMs=5000"));
        for (int i = 0; i < TOPICS; i++) {
            lines.addAll(List.of("[topic=os" + i + "]", "unflushThreshold=1000", "unflushInterval=1000"));
            lines.addAll(List.of("[topic=disk" + i + "]", "unflushThreshold=0"));
        }
        return lines;
    }
}
