package io.metaq.client;

import java.util.List;
import java.util.Map;

/**
 * Topic and group commands. All need 2.x brokers ({@link UnsupportedByBrokerException} otherwise). Calls about a topic go to every
 * broker known (or that has the topic) and throw if one of them fails; {@link #on} limits them to one broker.
 */
public interface Admin {

    /** The same calls for one broker only. */
    Admin on(BrokerAddress server);

    /**
     * Creates a topic.
     *
     * @param partitions per broker, at least 1
     * @param settings topic settings by their configuration keys, e.g. {@code deletePolicy}
     */
    void createTopic(String topic, int partitions, Map<String, String> settings);

    /** Changes settings; {@code partitions} can only grow. */
    void alterTopic(String topic, Map<String, String> settings);

    /** Deletes a topic with its data. */
    void deleteTopic(String topic);

    /** Closes partitions for a use. */
    void closeTopic(String topic, PartitionRange range, TopicUse use);

    /** Opens what was closed. */
    void openTopic(String topic, PartitionRange range, TopicUse use);

    /**
     * Has every message read and checked while the topic serves; damaged ranges are copied to the broker's attic and served no more.
     * Returns when that is done, which takes as long as reading the files.
     *
     * @return per broker the lines of its report (PROTOCOL.md, topic scrub)
     */
    Map<BrokerAddress, List<String>> scrubTopic(String topic, PartitionRange range);

    /** Topics whose name fits. @param glob with {@code *}; {@code *} alone for all */
    List<TopicSummary> listTopics(String glob);

    /** Settings and partitions, one element per broker that has the topic; throws {@link TopicNotFoundException} when none has. */
    List<TopicDescription> describeTopic(String topic);

    /** Names of the groups that the brokers know, sorted. */
    List<String> listGroups();

    /** Members, generation and owners of a group as lines {@code key value}, per broker. */
    Map<BrokerAddress, List<String>> describeGroup(String group);

    /** Stored offsets of a group. @param topic empty for all */
    List<GroupOffset> groupOffsets(String group, String topic);

    /** Saved earlier offsets, oldest first. @param topic empty for all */
    List<GroupOffset> groupHistory(String group, String topic);

    /** Stores an offset for a group. */
    void commitOffset(String group, TopicPartition partition, StoredOffset offset);

    /**
     * Moves a group.
     *
     * @param to {@code first}, {@code last}, a byte offset, {@code time:<epoch ms>}, or {@code history:<epoch ms>}
     * @param partition number, or {@link TopicPartition#ANY} for all
     */
    void resetGroup(String group, String topic, int partition, String to);

    /** Forgets a group with its offsets. */
    void deleteGroup(String group);

    /** The commands about subscriptions, for the same brokers. */
    SubscriptionAdmin subscriptions();

    /** The commands about transactions, for the same brokers. */
    TransactionAdmin transactions();

    /** What a topic is closed or opened for. */
    enum TopicUse {
        PUBLISH,
        SUBSCRIBE,
        BOTH
    }

    /** Partition numbers from first to last, both included. */
    record PartitionRange(int first, int last) {

        /** Every partition. */
        public static final PartitionRange ALL = new PartitionRange(0, Integer.MAX_VALUE);

        public PartitionRange {
            if (first < 0 || last < first) {
                throw new IllegalArgumentException("partitions " + first + " to " + last + " are no range");
            }
        }
    }

    /** @param partitions over all brokers */
    record TopicSummary(String name, int partitions) {}

    /**
     * @param server the broker that answered
     * @param settings {@code key value} lines in their order
     */
    record TopicDescription(
            String name, BrokerNode server, Map<String, String> settings, List<PartitionDescription> partitions) {}

    /** @param state {@code open}, {@code closed}, or what the broker says */
    record PartitionDescription(int partition, long minOffset, long maxOffset, long messages, String state) {}

    /** @param timeMs when it was stored, in a history when it was in force; milliseconds since 1970, 0 if unknown */
    record GroupOffset(TopicPartition partition, StoredOffset stored, long timeMs) {}
}
