package io.metaq.client;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an operator does with subscriptions: those of queues ({@code queue:NAME}) and of topics. Needs brokers that know subscriptions
 * ({@link UnsupportedByBrokerException} otherwise). Calls go to every broker that has the subscription, and throw if none has it.
 */
public interface SubscriptionAdmin {

    /**
     * Makes a durable subscription of a topic.
     *
     * @param options {@code topic}, {@code kind} ({@code durable} or {@code shared-durable}), and where wanted {@code selector},
     *     {@code nolocal-origin}, {@code from} ({@code first}, {@code last}, an offset, {@code time:<epoch ms>})
     */
    void create(String name, Map<String, String> options);

    /** Deletes a subscription that has no consumers. That of a queue goes with its queue. */
    void delete(String name);

    /**
     * Subscriptions whose name fits, sorted; figures are sums over the brokers.
     *
     * @param glob with {@code *}; {@code *} alone for all
     * @param topic null for all
     */
    List<SubscriptionSummary> list(String glob, @Nullable String topic);

    /** What the subscription is and how it stands, per broker as lines {@code key value}, and a line for each consumer. */
    Map<BrokerAddress, List<String>> describe(String name);

    /** Counts all that is there as acknowledged. */
    void purge(String name);

    /**
     * Goes on from another place, backwards too.
     *
     * @param to {@code first}, {@code last}, a byte offset, or {@code time:<epoch ms>}
     * @param partition number, or {@link TopicPartition#ANY} for all
     */
    void seek(String name, String to, int partition);

    /** Delivers nothing until {@link #resume}. */
    void pause(String name);

    void resume(String name);

    /**
     * Takes messages out and puts them, with all they have, into another queue or topic.
     *
     * @param options {@code to} (where), and where wanted {@code selector}, {@code id} (of one message), {@code count} (at most, over
     *     all brokers)
     * @return how many were moved
     */
    long move(String name, Map<String, String> options);

    /**
     * Puts dead letters back to where they came from.
     *
     * @param most how many at most, over all brokers
     * @return how many were moved
     */
    long redrive(String name, long most);

    /**
     * Why a consumer gets nothing, per broker: the reason as a sentence, then lines {@code key value} with the figures.
     *
     * @param selector of that consumer, or null
     */
    Map<BrokerAddress, List<String>> explain(String name, @Nullable String selector);

    /**
     * A subscription and how much is in it.
     *
     * @param kind as in the protocol: {@code queue}, {@code durable}, ...
     * @param depth messages that are not acknowledged
     */
    record SubscriptionSummary(String name, String topic, String kind, long consumers, long depth) {}
}
