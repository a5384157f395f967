package io.metaq.client;

import java.util.Map;
import java.util.Set;

/** A running consumer; made by {@link ConsumerBuilder#start()}. */
public interface Consumer extends AutoCloseable {

    /** The group's name. */
    String group();

    /** The partitions that this member reads now. */
    Set<TopicPartition> assignment();

    /** Stops pulling and delivering the topic until {@link #resume(String)}. A message that is being handled is finished. */
    void pause(String topic);

    /** Like {@link #pause(String)} for the partitions with this number, on every broker. */
    void pause(String topic, int partition);

    /** Ends a pause of the topic and of all its partitions. */
    void resume(String topic);

    /** Ends a pause of one partition number. A pause of the whole topic stays. */
    void resume(String topic, int partition);

    /** Position of the first message that is not done, per partition that is read now. */
    Map<TopicPartition, Long> positions();

    /** Stores what is done now instead of at the next interval. Called on the consumer's own thread too. */
    void commit();

    /**
     * Stops delivery, waits (at most five seconds, not at all when called from the listener) for messages that are being handled,
     * stores offsets, leaves the group. Returns within ten seconds whatever the brokers do. Idempotent.
     */
    @Override
    void close();
}
