package io.metaq.client;

/**
 * One partition of a topic on one broker. Partition numbers start at 0 on every broker, so the broker id is part of the identity.
 *
 * @param topic the topic's name
 * @param broker id of the broker that holds the partition
 * @param partition number of the partition on that broker; {@value #ANY} where the broker is to choose
 */
public record TopicPartition(String topic, int broker, int partition) implements Comparable<TopicPartition> {

    /** "The broker chooses": the only possibility with a 1.4 broker that has no data of the topic yet and no ZooKeeper. */
    public static final int ANY = -1;

    /** The 1.4 name within a topic, as in ZooKeeper nodes: {@code broker-partition}. */
    public String shortName() {
        return broker + "-" + partition;
    }

    @Override
    public int compareTo(TopicPartition other) {
        int byTopic = topic.compareTo(other.topic);
        if (byTopic != 0) {
            return byTopic;
        }
        int byBroker = Integer.compare(broker, other.broker);
        return byBroker != 0 ? byBroker : Integer.compare(partition, other.partition);
    }

    @Override
    public String toString() {
        return topic + "-" + broker + "-" + partition;
    }
}
