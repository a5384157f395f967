package io.metaq.client;

import io.metaq.client.subscription.SubscriberLink;
import io.metaq.client.subscription.SubscriberListener;
import java.util.List;
import java.util.Map;

/**
 * The door to MetaQ: connections to brokers, shared by the producers and consumers made from it. One per application is enough.
 *
 * <pre>{@code
 * try (MetaqClient client = MetaqClient.builder().servers("127.0.0.1:8123").build();
 *         Producer producer = client.producer().build()) {
 *     producer.send(Message.of("greetings", "hello".getBytes(UTF_8)));
 * }
 * }</pre>
 */
public interface MetaqClient extends AutoCloseable {

    static MetaqClientBuilder builder() {
        return new MetaqClientBuilder();
    }

    /** A new producer's settings. */
    ProducerBuilder producer();

    /**
     * A new consumer's settings.
     *
     * @param group members of one group share the messages of a topic, every group gets all of them
     */
    ConsumerBuilder consumer(String group);

    /**
     * Pulls from a partition by its number when only one broker has such a partition.
     *
     * @throws TopicNotFoundException when no broker has it
     * @throws IllegalArgumentException when several brokers have it: use {@link #puller(TopicPartition)}
     */
    Puller puller(String topic, int partition);

    /** Pulls from one partition. */
    Puller puller(TopicPartition partition);

    /** Iterates everything that is kept of a topic. */
    TopicBrowser browse(String topic);

    /**
     * A connection for consumers on subscriptions that the broker keeps: queues, durable and shared subscriptions. Connects at once,
     * to the first of {@code servers} (or of the brokers that ZooKeeper knows) that answers. Needs brokers of version 2.
     *
     * @param listener told when the connection is lost and made again
     */
    SubscriberLink subscriber(SubscriberListener listener);

    /**
     * The brokers' statistics.
     *
     * @param item blank for the broker itself, {@code topics}, {@code offsets}, {@code realtime}, {@code help}, or a topic's name
     * @return per broker that answered within the request timeout, by address: first word of each line to its rest
     *     ({@code NO VALUE} where there is none), in the order of the lines
     */
    Map<BrokerAddress, Map<String, String>> stats(String item);

    /** All partitions of a topic on all known brokers, sorted; empty when no broker has it. */
    List<TopicPartition> partitions(String topic);

    /** Those of {@link #partitions} whose broker can be reached and which can be written to now. */
    List<TopicPartition> availablePartitions(String topic);

    /** The brokers known now. @throws UnauthorizedException if those that answer do not let this client in */
    List<BrokerNode> brokers();

    /** Administration of topics and groups. Needs 2.x brokers. */
    Admin admin();

    /** Closes everything made from this client. Returns within ten seconds and leaves no thread. Idempotent. */
    @Override
    void close();
}
