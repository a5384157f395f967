package io.metaq.client;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Brokers in turn; each broker's partitions in turn. */
final class BrokerRoundRobinSelector implements PartitionSelector {

    private final AtomicInteger next = new AtomicInteger();

    @Override
    public TopicPartition select(Message message, List<TopicPartition> partitions) {
        int turn = next.getAndIncrement() & Integer.MAX_VALUE;
        int brokers = brokers(partitions);
        int start = startOf(partitions, turn % brokers);
        int end = endOf(partitions, start);
        return partitions.get(start + (turn / brokers) % (end - start));
    }

    private static int brokers(List<TopicPartition> sorted) {
        int count = 0;
        for (int i = 0; i < sorted.size(); i = endOf(sorted, i)) {
            count++;
        }
        return count;
    }

    private static int startOf(List<TopicPartition> sorted, int brokerIndex) {
        int start = 0;
        for (int i = 0; i < brokerIndex; i++) {
            start = endOf(sorted, start);
        }
        return start;
    }

    private static int endOf(List<TopicPartition> sorted, int start) {
        int end = start + 1;
        while (end < sorted.size()
                && sorted.get(end).broker() == sorted.get(start).broker()) {
            end++;
        }
        return end;
    }
}
