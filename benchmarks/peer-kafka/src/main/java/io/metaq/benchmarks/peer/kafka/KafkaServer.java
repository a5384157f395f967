package io.metaq.benchmarks.peer.kafka;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import kafka.Kafka;
import kafka.tools.StorageTool;
import org.apache.kafka.common.Uuid;

/** A Kafka broker that is its own controller, on loopback. Arguments: an empty directory, a port, a port for the controller. */
final class KafkaServer {

    private KafkaServer() {}

    public static void main(String[] args) throws IOException {
        Path directory = Path.of(args[0]);
        Path properties = directory.resolve("server.properties");
        Files.createDirectories(directory);
        Files.write(properties, configuration(directory, args[1], args[2]));
        String[] format = {"format", "-t", Uuid.randomUuid().toString(), "-c", properties.toString()};
        if (StorageTool.execute(format, System.err) != 0) {
            throw new IllegalStateException("Kafka did not format its storage");
        }
        Kafka.main(new String[] {properties.toString()});
    }

    /** Kafka's defaults but for the addresses, and for topics that go as soon as they are deleted. */
    private static List<String> configuration(Path directory, String port, String controllerPort) {
        return List.of(
                "process.roles=broker,controller",
                "node.id=1",
                "controller.quorum.voters=1@127.0.0.1:" + controllerPort,
                "listeners=PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controllerPort,
                "advertised.listeners=PLAINTEXT://127.0.0.1:" + port,
                "controller.listener.names=CONTROLLER",
                "log.dirs=" + directory.resolve("data"),
                "num.partitions=1",
                "offsets.topic.replication.factor=1",
                "offsets.topic.num.partitions=1",
                "transaction.state.log.replication.factor=1",
                "transaction.state.log.min.isr=1",
                "share.coordinator.state.topic.replication.factor=1",
                "share.coordinator.state.topic.min.isr=1",
                "auto.create.topics.enable=false",
                "log.segment.delete.delay.ms=1000",
                "file.delete.delay.ms=1000");
    }
}
