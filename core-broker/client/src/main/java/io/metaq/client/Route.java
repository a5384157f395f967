package io.metaq.client;

import java.util.ArrayList;
import java.util.List;

/**
 * Where a topic lives.
 *
 * @param topic the topic's name
 * @param entries one per broker that has the topic; empty when no broker has it
 */
public record Route(String topic, List<Entry> entries) {

    public Route {
        entries = List.copyOf(entries);
    }

    /**
     * @param broker who
     * @param partitions how many partitions it has of the topic, numbered from 0; 0 when only the broker knows (it then chooses)
     */
    public record Entry(BrokerNode broker, int partitions) {}

    /** All partitions, sorted. An entry of unknown size yields one partition with number {@link TopicPartition#ANY}. */
    public List<TopicPartition> partitions() {
        List<TopicPartition> all = new ArrayList<>();
        for (Entry entry : entries) {
            if (entry.partitions() == 0) {
                all.add(new TopicPartition(topic, entry.broker().id(), TopicPartition.ANY));
            }
            for (int i = 0; i < entry.partitions(); i++) {
                all.add(new TopicPartition(topic, entry.broker().id(), i));
            }
        }
        all.sort(null);
        return List.copyOf(all);
    }
}
