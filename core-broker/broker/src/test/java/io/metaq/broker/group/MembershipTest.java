package io.metaq.broker.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.state.PartitionName;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class MembershipTest {
    private final Map<String, Integer> partitions = new HashMap<>(Map.of("orders", 12, "bills", 3));
    private final Membership membership = new Membership(0, topic -> partitions.getOrDefault(topic, 0));

    private static PartitionName orders(int partition) {
        return new PartitionName("orders", partition);
    }

    private List<PartitionName> owned(String member) {
        return membership.view(member).owned();
    }

    @Test
    void shouldGiveALoneMemberEverything() {
        membership.join("a", Set.of("orders", "bills"), 0);
        assertThat(owned("a")).hasSize(15);
    }

    @Test
    void shouldDivideByTheStringOrderOfPartitions() {
        // 0-0, 0-1, 0-10, 0-11, 0-2, …: contiguous ranges of names, not of numbers.
        assertThat(RangeAssignment.of(0, 12, List.of("b", "a")))
                .containsEntry(10, "a")
                .containsEntry(11, "a")
                .containsEntry(0, "a")
                .containsEntry(3, "a")
                .containsEntry(4, "b")
                .containsEntry(9, "b");
    }

    @Test
    void shouldGiveTheRemainderToTheFirstMembers() {
        assertThat(RangeAssignment.of(0, 5, List.of("c", "a", "b")).values()).containsExactly("a", "a", "b", "b", "c");
    }

    @Test
    void shouldHandAPartitionOverOnlyOnceItWasLetGo() {
        membership.join("a", Set.of("orders"), 0);
        assertThat(owned("a")).hasSize(12);
        membership.join("b", Set.of("orders"), 0);
        assertThat(owned("a")).hasSize(6);
        assertThat(owned("b")).isEmpty();

        membership.release("a", orders(4));
        assertThat(owned("b")).containsExactly(orders(4));
        assertThat(owned("a")).hasSize(6);
    }

    @Test
    void shouldNotWaitForAnOwnerThatWasNeverTold() {
        membership.join("a", Set.of("orders"), 0);
        membership.join("b", Set.of("orders"), 0);
        assertThat(owned("b")).hasSize(6);
        assertThat(owned("a")).hasSize(6);
    }

    @Test
    void shouldFreeWhatAMemberThatLeftHad() {
        membership.join("a", Set.of("orders"), 0);
        membership.join("b", Set.of("orders"), 0);
        membership.leave("a");
        assertThat(owned("b")).hasSize(12);
    }

    @Test
    void shouldTakeASilentMemberForGone() {
        membership.join("a", Set.of("orders"), 1_000);
        membership.join("b", Set.of("orders"), 5_000);
        membership.expire(3_000);
        assertThat(membership.isMember("a")).isFalse();
        assertThat(owned("b")).hasSize(12);
    }

    @Test
    void shouldShareNewPartitionsWithoutAnyoneJoining() {
        membership.join("a", Set.of("bills"), 0);
        long before = membership.generation();
        partitions.put("bills", 4);
        membership.rebalance();
        assertThat(owned("a")).hasSize(4);
        assertThat(membership.generation()).isGreaterThan(before);
    }

    @Test
    void shouldKeepTheGenerationWhileNothingChanges() {
        membership.join("a", Set.of("orders"), 0);
        long before = membership.generation();
        membership.join("a", Set.of("orders"), 10);
        membership.rebalance();
        assertThat(membership.generation()).isEqualTo(before);
    }

    @Test
    void shouldNeverLetTwoMembersHoldOnePartitionAndEndBalanced() {
        for (long seed = 0; seed < 200; seed++) {
            churn(new Random(seed), seed);
        }
    }

    /** Members come, go and let go at random; what a member believes to own never overlaps with another's belief. */
    private static void churn(Random random, long seed) {
        Membership membership = new Membership(0, topic -> 10);
        Map<String, Set<PartitionName>> believed = new HashMap<>();
        for (int step = 0; step < 100; step++) {
            String member = "m" + random.nextInt(5);
            if (random.nextInt(4) == 0) {
                membership.leave(member);
                believed.remove(member);
            } else {
                membership.join(member, Set.of("t"), step);
                believed.computeIfAbsent(member, m -> new HashSet<>());
                refresh(membership, believed, member, random.nextBoolean());
            }
            assertNoOverlap(believed, seed, step);
        }
        for (int round = 0; round < 3; round++) {
            for (String member : List.copyOf(believed.keySet())) {
                refresh(membership, believed, member, true);
            }
        }
        Set<PartitionName> all = new TreeSet<>();
        believed.values().forEach(all::addAll);
        assertThat(all).as("seed %d: every partition has an owner", seed).hasSize(believed.isEmpty() ? 0 : 10);
    }

    private static void refresh(
            Membership membership, Map<String, Set<PartitionName>> believed, String member, boolean letGo) {
        Set<PartitionName> mine = believed.get(member);
        Set<PartitionName> now = new HashSet<>(membership.view(member).owned());
        if (letGo) {
            for (PartitionName partition : List.copyOf(mine)) {
                if (!now.contains(partition)) {
                    mine.remove(partition);
                    membership.release(member, partition);
                }
            }
        }
        mine.addAll(membership.view(member).owned());
    }

    private static void assertNoOverlap(Map<String, Set<PartitionName>> believed, long seed, int step) {
        Set<PartitionName> seen = new HashSet<>();
        believed.values()
                .forEach(mine -> mine.forEach(partition -> assertThat(seen.add(partition))
                        .as("seed %d step %d: %s has two owners", seed, step, partition)
                        .isTrue()));
    }
}
