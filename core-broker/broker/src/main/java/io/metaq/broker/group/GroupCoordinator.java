package io.metaq.broker.group;

import io.metaq.state.PartitionName;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;

/**
 * The memberships of all groups, and who waits for the next change of one. Any thread; answers are given on the thread
 * whose call made them due.
 */
public final class GroupCoordinator {
    /** What a member is told: the generation, all members, and what it owns now. */
    public record View(long generation, List<String> members, List<PartitionName> owned) {}

    /** Where a view goes. Called once. */
    @FunctionalInterface
    public interface Answer {
        void give(View view);
    }

    private record Waiting(String member, long knownGeneration, Answer answer) {}

    private static final class Group {
        private final Membership membership;
        private final List<Waiting> waiting = new ArrayList<>();

        Group(Membership membership) {
            this.membership = membership;
        }
    }

    private final int brokerId;
    private final ToIntFunction<String> partitionCount;
    private final LongSupplier clockMs;
    private final long sessionTimeoutMs;
    private final Map<String, Group> groups = new TreeMap<>();

    /**
     * @param partitionCount how many partitions a topic has now; 0 for an unknown one
     * @param clockMs a clock that never goes back, in milliseconds
     * @param sessionTimeoutMs a member that says nothing for so long is taken for gone
     */
    public GroupCoordinator(
            int brokerId, ToIntFunction<String> partitionCount, LongSupplier clockMs, long sessionTimeoutMs) {
        this.brokerId = brokerId;
        this.partitionCount = partitionCount;
        this.clockMs = clockMs;
        this.sessionTimeoutMs = sessionTimeoutMs;
    }

    /**
     * A member comes or shows that it lives.
     *
     * @param knownGeneration what it knows; {@code answer} waits until there is news past it. Negative: at once
     * @return takes the waiting back: gives the answer now if it has not been given
     */
    public Runnable join(String group, String member, Set<String> topics, long knownGeneration, Answer answer) {
        List<Runnable> due = new ArrayList<>();
        Waiting mine = new Waiting(member, knownGeneration, answer);
        synchronized (this) {
            Group joined = groups.computeIfAbsent(group, name -> new Group(new Membership(brokerId, partitionCount)));
            joined.membership.join(member, topics, clockMs.getAsLong());
            joined.waiting.add(mine);
            collectDue(joined, due);
        }
        due.forEach(Runnable::run);
        return () -> answerNow(group, mine);
    }

    private void answerNow(String name, Waiting mine) {
        View view;
        synchronized (this) {
            Group group = groups.get(name);
            if (group == null || !group.waiting.remove(mine)) {
                return;
            }
            view = view(group, mine.member());
        }
        mine.answer().give(view);
    }

    /** A member goes. */
    public void leave(String group, String member) {
        change(group, membership -> membership.leave(member));
    }

    /** A member has stopped consuming a partition and stored its position. */
    public void release(String group, String member, PartitionName partition) {
        change(group, membership -> membership.release(member, partition));
    }

    /** Topics or partitions have come or gone. */
    public void topicsChanged() {
        changeAll(Membership::rebalance);
    }

    /** To be called now and then: drops members that have been silent for too long. */
    public void tick() {
        long before = clockMs.getAsLong() - sessionTimeoutMs;
        changeAll(membership -> membership.expire(before));
    }

    private void changeAll(Consumer<Membership> step) {
        List<String> names;
        synchronized (this) {
            names = List.copyOf(groups.keySet());
        }
        names.forEach(name -> change(name, step));
    }

    private void change(String name, Consumer<Membership> step) {
        List<Runnable> due = new ArrayList<>();
        synchronized (this) {
            Group group = groups.get(name);
            if (group == null) {
                return;
            }
            step.accept(group.membership);
            collectDue(group, due);
            if (group.membership.isEmpty() && group.waiting.isEmpty()) {
                groups.remove(name);
            }
        }
        due.forEach(Runnable::run);
    }

    private static void collectDue(Group group, List<Runnable> due) {
        for (Iterator<Waiting> all = group.waiting.iterator(); all.hasNext(); ) {
            Waiting waiting = all.next();
            boolean news = waiting.knownGeneration() != group.membership.generation();
            if (news || !group.membership.isMember(waiting.member())) {
                all.remove();
                View view = view(group, waiting.member());
                due.add(() -> waiting.answer().give(view));
            }
        }
    }

    private static View view(Group group, String member) {
        return group.membership.view(member);
    }

    /** Names of the groups that have members now. */
    public synchronized List<String> groups() {
        return List.copyOf(groups.keySet());
    }

    /** The members of a group. */
    public synchronized List<String> members(String name) {
        Group group = groups.get(name);
        return group == null ? List.of() : group.membership.members();
    }

    /** Who owns which partition in a group. */
    public synchronized Map<PartitionName, String> owners(String name) {
        Group group = groups.get(name);
        return group == null ? Map.of() : group.membership.owners();
    }
}
