package io.metaq.client;

import java.util.List;

/**
 * Chooses the partition of a message. Called on the sending thread, by several threads at once if several send.
 */
public interface PartitionSelector {

    /**
     * Chooses.
     *
     * @param message the message; messages cannot be changed
     * @param partitions what can be chosen, sorted, never empty: for a {@linkplain #isSticky sticky} selector all partitions of
     *     the topic, for any other those of brokers that are not left out at the moment
     * @return one of {@code partitions}
     */
    TopicPartition select(Message message, List<TopicPartition> partitions);

    /**
     * Whether a message must stay with its partition even when that fails. If false (the default), the client sends a message
     * that a broker did not take to another broker.
     */
    default boolean isSticky() {
        return false;
    }

    /** All partitions in turn. */
    static PartitionSelector roundRobin() {
        return new RoundRobinSelector();
    }

    /** Brokers in turn, and in turn the partitions of each: even load on brokers with different numbers of partitions. */
    static PartitionSelector brokerRoundRobin() {
        return new BrokerRoundRobinSelector();
    }

    /**
     * By hash of {@link Message#key()}: messages of one key stay in order. Sticky. Messages without a key go in turn to all
     * partitions.
     */
    static PartitionSelector byKey() {
        return new KeySelector();
    }

    /** Brokers on this machine first, the others only when no local one is available. */
    static PartitionSelector localFirst() {
        return new LocalFirstSelector();
    }
}
