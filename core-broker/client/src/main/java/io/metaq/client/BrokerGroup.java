package io.metaq.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A seat in a group kept by the brokers themselves: one at each, since each broker shares out its own partitions. */
final class BrokerGroup implements GroupMembership {

    private static final Logger LOG = LoggerFactory.getLogger(BrokerGroup.class);

    private final List<GroupSeat> seats = new ArrayList<>();
    private final ClientCore core;

    BrokerGroup(ClientCore core, String group, String member, Set<String> topics, Listener listener) {
        this.core = core;
        OneAtATime inTurn = new OneAtATime(listener);
        for (BrokerAddress server : core.servers()) {
            seats.add(new GroupSeat(core, server, new GroupSeat.Seat(group, member, topics), inTurn));
        }
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
        seats.forEach(GroupSeat::take);
        return this;
    }

    @Override
    public void release(TopicPartition partition) {
        seats.forEach(seat -> seat.release(partition));
    }

    @Override
    public void close() {
        List<CompletableFuture<?>> left = new ArrayList<>();
        seats.forEach(seat -> left.add(seat.leave()));
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
