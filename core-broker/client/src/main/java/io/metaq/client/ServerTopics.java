package io.metaq.client;

import io.metaq.client.net.Link;
import io.metaq.client.net.ServerInfo;
import io.metaq.client.net.Transport.Purpose;
import io.metaq.protocol.AdminOperation;
import io.metaq.protocol.Request;
import io.metaq.protocol.Status;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What one broker given by its address says about itself and its topics. */
final class ServerTopics {

    private static final int UNKNOWN = -1;

    private final BrokerAddress address;
    private final Link link;
    private final long timeoutMs;
    private final Map<String, ToldRoutes> lastKnown = new ConcurrentHashMap<>();
    private volatile int id = UNKNOWN;

    ServerTopics(BrokerAddress address, Brokers brokers, long timeoutMs) {
        this.address = address;
        this.link = brokers.link(address, Purpose.CONTROL);
        this.timeoutMs = timeoutMs;
    }

    BrokerAddress address() {
        return address;
    }

    /** The broker as it was identified once, null if it never answered. */
    @Nullable
    BrokerNode node() {
        return id == UNKNOWN ? null : new BrokerNode(id, address);
    }

    /** Asks who it is. A 2.x broker says so when connected, a 1.4 broker in its statistics. */
    CompletableFuture<BrokerNode> identify() {
        return Calls.identify(link, address, "broker id", timeoutMs).thenCompose(info -> {
            if (info.brokerId() >= 0) {
                id = info.brokerId();
                return CompletableFuture.completedFuture(new BrokerNode(id, address));
            }
            return Calls.text(link, address, "stats", timeoutMs, opaque -> new Request.Stats(null, opaque))
                    .thenApply(this::idFromStats);
        });
    }

    private BrokerNode idFromStats(String text) {
        String value = StatsText.parse(text).get("broker_id");
        try {
            id = Integer.parseInt(String.valueOf(value));
        } catch (NumberFormatException e) {
            throw new MetaqException("broker " + address + " does not tell its id in `stats`: " + value, e);
        }
        return new BrokerNode(id, address);
    }

    /**
     * Where it says the topic is.
     *
     * @param encrypted whether brokers are to be reached by TLS
     */
    CompletableFuture<ToldRoutes> routes(String topic, boolean encrypted) {
        return identify()
                .thenCompose(node -> {
                    ServerInfo info = link.server();
                    if (info != null && info.offers("routes")) {
                        return told(node, topic, encrypted);
                    }
                    return (info != null && info.modern() ? describe(topic) : countInStats(topic))
                            .thenApply(count -> ToldRoutes.itself(node, count));
                })
                .whenComplete((told, failure) -> {
                    if (told != null) {
                        lastKnown.put(topic, told);
                    }
                });
    }

    /** What {@link #routes} said last; null if it never did. */
    @Nullable
    ToldRoutes lastKnown(String topic) {
        return lastKnown.get(topic);
    }

    private CompletableFuture<ToldRoutes> told(BrokerNode node, String topic, boolean encrypted) {
        return Calls.admin(link, address, timeoutMs, AdminOperation.TOPIC_ROUTES, topic, Map.of())
                .thenApply(result -> result.code() == Status.NOT_FOUND.code()
                        ? new ToldRoutes(List.of(), true)
                        : ToldRoutes.parse(node, Calls.success("topic routes " + topic, result, address), encrypted));
    }

    /** How many partitions it has of the topic; -1 if it has no such topic. */
    private CompletableFuture<Integer> describe(String topic) {
        return Calls.admin(link, address, timeoutMs, AdminOperation.TOPIC_DESCRIBE, topic, new HashMap<>())
                .thenApply(result -> {
                    if (result.code() == Status.NOT_FOUND.code()) {
                        return -1;
                    }
                    return TopicText.partitionCount(Calls.success("topic describe " + topic, result, address));
                });
    }

    /**
     * The same, and 0 if it accepts the topic but has none yet. A 1.4 broker counts only the partitions that have data, whichever those are; how many there are to be says the
     * configuration file, which it gives out.
     */
    private CompletableFuture<Integer> countInStats(String topic) {
        return stats(topic).thenCompose(text -> {
            Map<String, String> lines = StatsText.parse(text);
            if ("1".equals(lines.get("resultCode"))) {
                return CompletableFuture.completedFuture(-1);
            }
            int withData = Integer.parseInt(lines.getOrDefault("partitions", "0"));
            return stats("config").thenApply(ini -> Math.max(withData, ServerIni.partitions(ini, topic)));
        });
    }

    private CompletableFuture<String> stats(String item) {
        return Calls.text(link, address, "stats " + item, timeoutMs, opaque -> new Request.Stats(item, opaque));
    }
}
