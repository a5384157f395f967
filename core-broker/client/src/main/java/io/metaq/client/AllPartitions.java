package io.metaq.client;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All partitions of some topics, without sharing: follows the routes. */
final class AllPartitions implements GroupMembership {

    private static final Logger LOG = LoggerFactory.getLogger(AllPartitions.class);
    private static final long RETRY_MS = 500;

    private final ClientCore core;
    private final Set<String> topics;
    private final Listener listener;
    private final Set<TopicPartition> owned = new HashSet<>();
    private final List<RouteSource.Watch> watches = new ArrayList<>();
    private volatile boolean closed;

    AllPartitions(ClientCore core, Set<String> topics, Listener listener) {
        this.core = core;
        this.topics = Set.copyOf(topics);
        this.listener = listener;
    }

    AllPartitions start() {
        for (String topic : topics) {
            watches.add(core.routes().watch(topic, RouteSource.Use.SUBSCRIBE, this::changed));
            firstRoute(topic);
        }
        return this;
    }

    private void firstRoute(String topic) {
        core.housekeeping().execute(() -> {
            try {
                changed(core.routes().route(topic, RouteSource.Use.SUBSCRIBE));
            } catch (MetaqException e) {
                LOG.warn("route of topic {} not known yet: {}", topic, Failures.brief(e));
                core.brokers().transport().anyLoop().schedule(() -> again(topic), RETRY_MS, TimeUnit.MILLISECONDS);
            }
        });
    }

    private void again(String topic) {
        if (!closed && !core.isClosed()) {
            firstRoute(topic);
        }
    }

    private synchronized void changed(Route route) {
        if (closed) {
            return;
        }
        core.brokers().seen(route);
        Set<TopicPartition> now = new HashSet<>(route.partitions());
        now.removeIf(partition -> partition.partition() == TopicPartition.ANY);
        Set<TopicPartition> gone = new HashSet<>(owned);
        gone.removeIf(partition -> !partition.topic().equals(route.topic()) || now.contains(partition));
        now.removeAll(owned);
        owned.removeAll(gone);
        owned.addAll(now);
        if (!gone.isEmpty()) {
            listener.revoked(gone);
        }
        if (!now.isEmpty()) {
            listener.assigned(now);
        }
    }

    @Override
    public void release(TopicPartition partition) {
        // Nobody else waits for it.
    }

    @Override
    public void close() {
        closed = true;
        watches.forEach(RouteSource.Watch::close);
    }
}
