package io.metaq.client;

import io.metaq.client.ToldRoutes.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** What brokers said about where a topic is, put together to one answer; all answers are in, or have failed. */
final class AskedRoutes {
    private final String topic;
    private final Map<ServerTopics, CompletableFuture<ToldRoutes>> answers;

    AskedRoutes(String topic, Map<ServerTopics, CompletableFuture<ToldRoutes>> answers) {
        this.topic = topic;
        this.answers = answers;
    }

    boolean anyAnswer() {
        return answers.values().stream().anyMatch(answer -> !answer.isCompletedExceptionally());
    }

    /**
     * One place for each broker, sorted by id.
     *
     * @throws MetaqException if nobody answered, now or before
     */
    List<Place> places() {
        Map<Integer, Place> byBroker = new TreeMap<>();
        boolean told = answers.values().stream()
                .anyMatch(answer ->
                        !answer.isCompletedExceptionally() && answer.join().cluster());
        boolean known = false;
        for (Map.Entry<ServerTopics, CompletableFuture<ToldRoutes>> entry : answers.entrySet()) {
            boolean failed = entry.getValue().isCompletedExceptionally();
            ToldRoutes routes =
                    failed ? entry.getKey().lastKnown(topic) : entry.getValue().join();
            if (routes != null) {
                known = true;
                routes.places().stream()
                        // What a broker said of others before it fell silent, others know better.
                        .filter(place -> place.own() || !failed || !told)
                        .forEach(place -> add(place, byBroker));
            }
        }
        if (!known) {
            throw failure();
        }
        return asGiven(byBroker);
    }

    /** What a broker says of itself counts more than what another says of it. */
    private static void add(Place place, Map<Integer, Place> byBroker) {
        byBroker.merge(place.node().id(), place, (before, now) -> now.own() ? now : before);
    }

    /** A broker that the client was given an address of is reached there, whatever it calls itself. */
    private List<Place> asGiven(Map<Integer, Place> byBroker) {
        for (ServerTopics server : answers.keySet()) {
            BrokerNode node = server.node();
            if (node != null) {
                byBroker.computeIfPresent(node.id(), (id, place) -> place.own() ? place : place.at(node.address()));
            }
        }
        return new ArrayList<>(byBroker.values());
    }

    private MetaqException failure() {
        Throwable last = null;
        for (CompletableFuture<ToldRoutes> answer : answers.values()) {
            last = answer.handle((routes, failure) -> failure).join();
        }
        return Calls.rethrow("route of topic " + topic, last);
    }
}
