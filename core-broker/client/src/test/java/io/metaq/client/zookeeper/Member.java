package io.metaq.client.zookeeper;

import io.metaq.client.BalanceRule;
import io.metaq.client.Cluster;
import io.metaq.client.GroupMembership;
import io.metaq.client.TopicPartition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;

/** A member that reads nothing but keeps the books: what it owns, and that nobody else owns it at the same time. */
final class Member implements AutoCloseable {

    /** Who owns what, over all members of a group; two owners of one partition are noted. */
    static final class Ledger {
        private final Map<TopicPartition, String> owners = new ConcurrentHashMap<>();
        final List<String> overlaps = new CopyOnWriteArrayList<>();

        private void take(TopicPartition partition, String member) {
            String other = owners.putIfAbsent(partition, member);
            if (other != null) {
                overlaps.add(partition + ": " + other + " and " + member);
            }
        }

        private void give(TopicPartition partition, String member) {
            owners.remove(partition, member);
        }
    }

    final Set<TopicPartition> owned = new ConcurrentSkipListSet<>();
    final Set<TopicPartition> revoking = new ConcurrentSkipListSet<>();
    final List<String> events = new CopyOnWriteArrayList<>();
    private boolean dead;
    private final String name;
    private final Ledger ledger;
    private final boolean releases;
    private final Cluster cluster;
    private final GroupMembership membership;

    Member(String connect, String name, Ledger ledger, Set<String> topics) {
        this(connect, name, ledger, topics, true, Duration.ofSeconds(10));
    }

    Member(String connect, String name, Ledger ledger, Set<String> topics, boolean releases, Duration timeout) {
        this.name = name;
        this.ledger = ledger;
        this.releases = releases;
        this.cluster = new ZooKeeperClusterProvider().open(connect, "/meta", timeout, Duration.ofSeconds(20), false);
        this.membership = cluster.join("group", name, topics, BalanceRule.RANGE, new Books());
    }

    private final class Books implements GroupMembership.Listener {
        @Override
        public void assigned(Set<TopicPartition> partitions) {
            synchronized (owned) {
                if (!dead) {
                    note("assigned", partitions);
                    partitions.forEach(partition -> ledger.take(partition, name));
                    owned.addAll(partitions);
                }
            }
        }

        @Override
        public void revoked(Set<TopicPartition> partitions) {
            note("revoked", partitions);
            revoking.addAll(partitions);
            if (releases) {
                release();
            }
        }

        @Override
        public void lost(Set<TopicPartition> partitions) {
            note("lost", partitions);
            partitions.forEach(partition -> ledger.give(partition, name));
            owned.removeAll(partitions);
            revoking.removeAll(partitions);
        }
    }

    private void note(String what, Set<TopicPartition> partitions) {
        List<String> names = new ArrayList<>();
        new TreeSet<>(partitions).forEach(partition -> names.add(partition.shortName()));
        events.add(what + " " + String.join(",", names));
    }

    /** What a consumer does when it has stored its offsets. */
    void release() {
        for (TopicPartition partition : revoking) {
            revoking.remove(partition);
            owned.remove(partition);
            ledger.give(partition, name);
            membership.release(partition);
        }
    }

    @Override
    public String toString() {
        return name + " " + events;
    }

    List<String> partitions() {
        return owned.stream().map(TopicPartition::shortName).toList();
    }

    void leave() {
        owned.forEach(partition -> ledger.give(partition, name));
        owned.clear();
        membership.close();
    }

    /** Ends without a word to anybody, as a killed process does. */
    void crash() {
        synchronized (owned) {
            dead = true;
            owned.forEach(partition -> ledger.give(partition, name));
        }
        cluster.close();
    }

    @Override
    public void close() {
        leave();
        cluster.close();
    }
}
