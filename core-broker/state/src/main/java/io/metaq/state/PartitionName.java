package io.metaq.state;

/** A partition of a topic. */
public record PartitionName(String topic, int partition) implements Comparable<PartitionName> {
    @Override
    public int compareTo(PartitionName other) {
        int byTopic = topic.compareTo(other.topic);
        return byTopic != 0 ? byTopic : Integer.compare(partition, other.partition);
    }

    @Override
    public String toString() {
        return topic + "-" + partition;
    }
}
