package io.metaq.client;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Partitions that the application chose itself. */
final class FixedPartitions implements GroupMembership {

    private final ClientCore core;
    private final List<TopicPartition> partitions;
    private final Set<String> topics;
    private final Listener listener;

    FixedPartitions(ClientCore core, List<TopicPartition> partitions, Set<String> topics, Listener listener) {
        this.core = core;
        this.partitions = partitions;
        this.topics = topics;
        this.listener = listener;
    }

    FixedPartitions start() {
        for (TopicPartition partition : partitions) {
            if (!topics.contains(partition.topic())) {
                throw new IllegalStateException("partition " + partition + " is of a topic that is not subscribed");
            }
        }
        core.nodes();
        topics.forEach(topic -> core.route(topic, RouteSource.Use.SUBSCRIBE));
        listener.assigned(new HashSet<>(partitions));
        return this;
    }

    @Override
    public void release(TopicPartition partition) {
        // Nobody else waits for it.
    }

    @Override
    public void close() {
        // There is no seat to give up.
    }
}
