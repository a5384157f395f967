package io.metaq.broker.group;

import io.metaq.state.PartitionName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToIntFunction;

/**
 * One group's members and who owns which partition. A partition goes to its next owner only when the one before has let
 * it go or is gone, so that no two members ever consume it at once.
 *
 * <p>Plain object: time is an argument, nothing blocks, calls come one at a time.
 */
final class Membership {
    private record Member(Set<String> topics, long lastSeenMs) {}

    private final int brokerId;
    private final ToIntFunction<String> partitionCount;
    private final SortedMap<String, Member> members = new TreeMap<>();
    private final Map<PartitionName, String> owners = new TreeMap<>();
    // Partitions whose owner has been told so: only these must be waited for.
    private final Set<PartitionName> told = new TreeSet<>();
    private Map<PartitionName, String> wanted = new HashMap<>();
    private long generation = 1;

    /** @param partitionCount how many partitions a topic has now; 0 for an unknown one */
    Membership(int brokerId, ToIntFunction<String> partitionCount) {
        this.brokerId = brokerId;
        this.partitionCount = partitionCount;
    }

    /** A member comes, changes its topics, or shows that it lives. */
    void join(String name, Set<String> topics, long nowMs) {
        Member before = members.put(name, new Member(Set.copyOf(topics), nowMs));
        if (before == null || !before.topics().equals(topics)) {
            generation++;
        }
        rebalance();
    }

    /** A member goes; what it owned is free at once. */
    void leave(String name) {
        if (members.remove(name) != null) {
            owners.values().removeIf(name::equals);
            told.retainAll(owners.keySet());
            generation++;
            rebalance();
        }
    }

    /** A member has stopped consuming a partition and stored its position. */
    void release(String name, PartitionName partition) {
        if (owners.remove(partition, name)) {
            told.remove(partition);
            generation++;
            rebalance();
        }
    }

    /** Members that have not shown themselves since {@code beforeMs} are taken for gone. */
    void expire(long beforeMs) {
        List<String> gone = new ArrayList<>();
        members.forEach((name, member) -> {
            if (member.lastSeenMs() < beforeMs) {
                gone.add(name);
            }
        });
        gone.forEach(this::leave);
    }

    /** Looks again at how many partitions the topics have. */
    void rebalance() {
        wanted = wantedOwners();
        // An owner that has not been told yet cannot let go: it does not know what it has.
        boolean changed = owners.entrySet()
                .removeIf(owned -> !wanted.containsKey(owned.getKey())
                        || !told.contains(owned.getKey()) && !owned.getValue().equals(wanted.get(owned.getKey())));
        told.retainAll(owners.keySet());
        for (Map.Entry<PartitionName, String> entry : wanted.entrySet()) {
            if (owners.putIfAbsent(entry.getKey(), entry.getValue()) == null) {
                changed = true;
            }
        }
        if (changed) {
            generation++;
        }
    }

    private Map<PartitionName, String> wantedOwners() {
        Map<String, List<String>> subscribers = new TreeMap<>();
        members.forEach((name, member) -> member.topics()
                .forEach(topic -> subscribers
                        .computeIfAbsent(topic, t -> new ArrayList<>())
                        .add(name)));
        Map<PartitionName, String> target = new HashMap<>();
        subscribers.forEach((topic, names) -> RangeAssignment.of(brokerId, partitionCount.applyAsInt(topic), names)
                .forEach((partition, name) -> target.put(new PartitionName(topic, partition), name)));
        return target;
    }

    /**
     * What {@code name} is to know. It must let go of a partition that it had and that the view no longer holds; until
     * it says so by {@link #release}, no other member gets it.
     */
    GroupCoordinator.View view(String name) {
        Set<PartitionName> owned = new TreeSet<>();
        owners.forEach((partition, owner) -> {
            if (owner.equals(name) && name.equals(wanted.get(partition))) {
                owned.add(partition);
            }
        });
        told.addAll(owned);
        return new GroupCoordinator.View(generation, List.copyOf(members.keySet()), List.copyOf(owned));
    }

    List<String> members() {
        return List.copyOf(members.keySet());
    }

    boolean isMember(String name) {
        return members.containsKey(name);
    }

    /** Who owns what, for operators. */
    Map<PartitionName, String> owners() {
        return Map.copyOf(owners);
    }

    long generation() {
        return generation;
    }

    boolean isEmpty() {
        return members.isEmpty();
    }
}
