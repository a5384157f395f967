package io.metaq.broker.command;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Knows which other brokers have a topic. */
@FunctionalInterface
public interface TopicDirectory {
    /** Of a broker that knows no other. */
    TopicDirectory NOBODY = topic -> CompletableFuture.completedFuture(List.of());

    /**
     * A topic at a broker.
     *
     * @param broker the broker's id
     * @param address {@code host:port}
     * @param tlsPort its port for TLS, -1 if that is not known
     * @param publish whether it takes messages there
     * @param subscribe whether it gives messages there
     */
    record Place(int broker, String address, int tlsPort, int partitions, boolean publish, boolean subscribe) {}

    /** Any thread; returns at once. Completes within seconds, and never by a failure. */
    CompletionStage<List<Place>> elsewhere(String topic);
}
