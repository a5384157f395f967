package io.metaq.tck.zookeeper;

import io.metaq.client.Cluster;
import io.metaq.client.ClusterProvider;
import io.metaq.client.GroupMembership;
import io.metaq.client.TopicPartition;
import java.time.Duration;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicReference;

/** A member of ours that owns but does not read. */
final class SharingMember implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final Set<TopicPartition> owned = new ConcurrentSkipListSet<>();
    private final AtomicReference<GroupMembership> membership = new AtomicReference<>();
    private final Cluster cluster;
    private final String name;

    SharingMember(String connect, String group, String name, String topic) {
        this.name = name;
        this.cluster = ServiceLoader.load(ClusterProvider.class)
                .findFirst()
                .orElseThrow()
                .open(connect, "/meta", TIMEOUT, TIMEOUT, false);
        this.membership.set(cluster.join(group, name, Set.of(topic), new GroupMembership.Listener() {
            @Override
            public void assigned(Set<TopicPartition> partitions) {
                owned.addAll(partitions);
            }

            @Override
            public void revoked(Set<TopicPartition> partitions) {
                owned.removeAll(partitions);
                partitions.forEach(partition -> membership.get().release(partition));
            }

            @Override
            public void lost(Set<TopicPartition> partitions) {
                owned.removeAll(partitions);
            }
        }));
    }

    String name() {
        return name;
    }

    List<String> owned() {
        return owned.stream().map(TopicPartition::shortName).toList();
    }

    @Override
    public void close() {
        membership.get().close();
        cluster.close();
    }
}
