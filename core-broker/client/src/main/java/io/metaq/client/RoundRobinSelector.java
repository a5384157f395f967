package io.metaq.client;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** All partitions in turn. */
final class RoundRobinSelector implements PartitionSelector {

    private final AtomicInteger next = new AtomicInteger();

    @Override
    public TopicPartition select(Message message, List<TopicPartition> partitions) {
        return partitions.get(Math.floorMod(next.getAndIncrement(), partitions.size()));
    }
}
