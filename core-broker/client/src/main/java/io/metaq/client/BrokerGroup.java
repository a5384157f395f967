package io.metaq.client;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A seat in a group kept by the brokers themselves: one at each, since each broker shares out its own partitions. At those that the
 * client was given there is always one; at others as long as one of the topics is there.
 */
final class BrokerGroup implements GroupMembership {

    private static final Logger LOG = LoggerFactory.getLogger(BrokerGroup.class);

    private final ClientCore core;
    private final GroupSeat.Seat seat;
    private final Listener listener;
    private final Map<BrokerAddress, GroupSeat> seats = new ConcurrentHashMap<>();
    private final Map<String, Set<BrokerAddress>> places = new HashMap<>();
    private final List<RouteSource.Watch> watches = new ArrayList<>();
    private boolean closed;

    BrokerGroup(ClientCore core, String group, String member, Set<String> topics, Listener listener) {
        this.core = core;
        this.seat = new GroupSeat.Seat(group, member, topics, new ConcurrentHashMap<>());
        this.listener = new OneAtATime(listener);
    }

    /** Several seats may be on several network threads, and a listener hears one call at a time. */
    private record OneAtATime(Listener listener) implements Listener {
        @Override
        public void assigned(Set<TopicPartition> partitions) {
            synchronized (listener) {
                listener.assigned(partitions);
            }
        }

        @Override
        public void revoked(Set<TopicPartition> partitions) {
            synchronized (listener) {
                listener.revoked(partitions);
            }
        }

        @Override
        public void lost(Set<TopicPartition> partitions) {
            synchronized (listener) {
                listener.lost(partitions);
            }
        }
    }

    BrokerGroup start() {
        core.servers().forEach(this::take);
        for (String topic : seat.topics()) {
            watches.add(core.routes().watch(topic, RouteSource.Use.SUBSCRIBE, this::changed));
            core.housekeeping().execute(() -> firstRoute(topic));
        }
        return this;
    }

    private void firstRoute(String topic) {
        try {
            changed(core.routes().route(topic, RouteSource.Use.SUBSCRIBE));
        } catch (MetaqException e) {
            LOG.debug("route of topic {} not known yet: the next look tells it", topic, e);
        }
    }

    private void take(BrokerAddress server) {
        seats.computeIfAbsent(server, address -> {
            GroupSeat made = new GroupSeat(core, address, seat, listener);
            made.take();
            return made;
        });
    }

    private synchronized void changed(Route route) {
        if (closed) {
            return;
        }
        core.brokers().seen(route);
        Set<BrokerAddress> now = new HashSet<>();
        route.entries().forEach(entry -> now.add(entry.broker().address()));
        places.put(route.topic(), now);
        now.forEach(this::take);
        seats.forEach((server, taken) -> {
            boolean wanted = core.servers().contains(server)
                    || places.values().stream().anyMatch(there -> there.contains(server));
            if (!wanted && seats.remove(server, taken)) {
                taken.abandon();
            }
        });
    }

    @Override
    public void release(TopicPartition partition) {
        seats.values().forEach(seat -> seat.release(partition));
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        watches.forEach(RouteSource.Watch::close);
        List<CompletableFuture<?>> left = new ArrayList<>();
        seats.values().forEach(seat -> left.add(seat.leave()));
        if (core.onNetworkThread()) {
            return;
        }
        CompletableFuture<Void> all = CompletableFuture.allOf(left.toArray(new CompletableFuture<?>[0]))
                .completeOnTimeout(null, 1500, TimeUnit.MILLISECONDS)
                .exceptionally(failure -> {
                    LOG.debug("a broker was not told of a leave; the end of the connection will tell it", failure);
                    return null;
                });
        all.join();
    }
}
