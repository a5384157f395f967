package io.metaq.cli;

import io.metaq.client.MetaqClient;
import io.metaq.client.TopicPartition;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which partitions of a topic a command means. */
final class Partitions {
    @Option(
            names = {"-p", "--partition"},
            paramLabel = "N",
            description = "Only the partition with this number.")
    private @Nullable Integer partition;

    @Option(
            names = {"-b", "--broker"},
            paramLabel = "ID",
            description = "Only partitions of the broker with this id.")
    private @Nullable Integer broker;

    /** Whether one partition is meant, not all of a topic. */
    boolean isGiven() {
        return partition != null || broker != null;
    }

    /** All that fit, at least one. */
    List<TopicPartition> select(MetaqClient client, String topic) {
        List<TopicPartition> all = client.partitions(topic);
        if (all.isEmpty()) {
            throw new CommandFailedException(
                    "no broker has topic " + topic + "; create it with: metaq topic create " + topic);
        }
        List<TopicPartition> fitting = all.stream()
                .filter(p -> partition == null || p.partition() == partition)
                .filter(p -> broker == null || p.broker() == broker)
                .toList();
        if (fitting.isEmpty()) {
            throw new CommandFailedException("topic " + topic + " has no such partition; it has " + names(all));
        }
        return fitting;
    }

    /** The one of the topic with this number. */
    TopicPartition single(MetaqClient client, String topic, int number) {
        List<TopicPartition> fitting = client.partitions(topic).stream()
                .filter(p -> p.partition() == number && (broker == null || p.broker() == broker))
                .toList();
        if (fitting.size() != 1) {
            throw new CommandFailedException(
                    fitting.isEmpty()
                            ? "topic " + topic + " has no partition " + number
                            : "several brokers have partition " + number + " of topic " + topic + "; add --broker ID: "
                                    + names(fitting));
        }
        return fitting.get(0);
    }

    @Nullable
    Integer number() {
        return partition;
    }

    private static String names(List<TopicPartition> partitions) {
        return partitions.stream()
                .map(p -> "partition " + p.partition() + " on broker " + p.broker())
                .collect(Collectors.joining(", "));
    }
}
