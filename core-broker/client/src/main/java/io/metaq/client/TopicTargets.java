package io.metaq.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Where a producer can send messages of one topic now: all partitions of the route, and those of brokers in good health. Read for
 * every message, so the lists are kept until the route or somebody's health changes.
 */
final class TopicTargets {

    private final String topic;
    private final BrokerHealth health;
    private final Brokers brokers;
    private final boolean localFirst;
    private final Map<TopicPartition, Long> closedUntil = new ConcurrentHashMap<>();
    private final AtomicBoolean refreshing = new AtomicBoolean();
    private volatile List<TopicPartition> all = List.of();
    private volatile Snapshot snapshot = new Snapshot(-1, List.of());

    private record Snapshot(int version, List<TopicPartition> available) {}

    TopicTargets(String topic, BrokerHealth health, Brokers brokers, boolean localFirst) {
        this.topic = topic;
        this.health = health;
        this.brokers = brokers;
        this.localFirst = localFirst;
    }

    String topic() {
        return topic;
    }

    void update(List<TopicPartition> partitions) {
        all = partitions;
        snapshot = new Snapshot(-1, List.of());
    }

    /** @return false if somebody asks for the route already */
    boolean beginRefresh() {
        return refreshing.compareAndSet(false, true);
    }

    void endRefresh() {
        refreshing.set(false);
    }

    List<TopicPartition> all() {
        return all;
    }

    /** Partitions of healthy brokers, all of them if no broker is; with local first, those of this machine if there are any. */
    List<TopicPartition> available() {
        Snapshot seen = snapshot;
        int version = health.version();
        if (seen.version != version) {
            seen = new Snapshot(version, preferred(healthy()));
            snapshot = seen;
        }
        return seen.available;
    }

    /** Where a message that could not be stored may go instead; empty when there is nowhere. */
    List<TopicPartition> alternatives(int notBroker) {
        List<TopicPartition> others = new ArrayList<>(healthy());
        others.removeIf(partition -> partition.broker() == notBroker || !isUsable(partition));
        return others;
    }

    /** Leaves out a closed partition for a while; it may be opened again without anybody telling us. */
    void closed(TopicPartition partition, long untilNanos) {
        closedUntil.put(partition, untilNanos);
        health.changed();
    }

    private List<TopicPartition> healthy() {
        List<TopicPartition> now = all;
        List<TopicPartition> healthy = new ArrayList<>(now);
        healthy.removeIf(partition -> !isUsable(partition));
        return healthy.isEmpty() ? now : healthy;
    }

    private boolean isUsable(TopicPartition partition) {
        if (!health.isHealthy(partition.broker())) {
            return false;
        }
        Long until = closedUntil.get(partition);
        if (until != null && System.nanoTime() - until >= 0) {
            closedUntil.remove(partition);
            return true;
        }
        return until == null;
    }

    private List<TopicPartition> preferred(List<TopicPartition> healthy) {
        if (!localFirst) {
            return healthy;
        }
        List<TopicPartition> local = new ArrayList<>(healthy);
        local.removeIf(partition -> !brokers.isLocal(partition.broker()));
        return local.isEmpty() ? healthy : local;
    }
}
