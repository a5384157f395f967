package io.metaq.client.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.metaq.client.TopicPartition;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ZooKeeperMembershipTest {
    private static final String OWNERS = "/meta/consumers/group/owners/t/";
    private static final Set<String> TOPIC = Set.of("t");
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    Path directory;

    private TestZooKeeper server;
    private final Member.Ledger ledger = new Member.Ledger();

    @BeforeEach
    void start() throws Exception {
        server = new TestZooKeeper(directory.resolve("zookeeper"));
    }

    @AfterEach
    void stop() throws Exception {
        assertThat(ledger.overlaps).isEmpty();
        server.close();
    }

    @Test
    void shouldShowTheNodesThatOldMembersLookAt() throws Exception {
        server.broker(7, "t", 2);
        try (Member a = new Member(server.connect(), "a", ledger, Set.of("t", "other"))) {
            awaitPartitions(a, "7-0", "7-1");
            assertThat(server.get("/meta/consumers/group/ids/group_a")).isEqualTo("other,t");
            assertThat(server.session("/meta/consumers/group/ids/group_a")).isNotZero();
            assertThat(server.get(OWNERS + "7-0")).isEqualTo("group_a");
            assertThat(server.session(OWNERS + "7-1")).isNotZero();
        }
        assertThat(server.zooKeeper.getChildren("/meta/consumers/group/ids", false))
                .isEmpty();
        assertThat(server.zooKeeper.getChildren("/meta/consumers/group/owners/t", false))
                .isEmpty();
    }

    @Test
    void shouldShareByRangesOfTheTextOrderAndMoveOnlyWhatMoves() throws Exception {
        server.broker(0, "t", 11);
        try (Member a = new Member(server.connect(), "a", ledger, TOPIC)) {
            await().atMost(PATIENCE).until(() -> a.owned.size() == 11);
            try (Member b = new Member(server.connect(), "b", ledger, TOPIC)) {
                awaitPartitions(a, "0-0", "0-1", "0-2", "0-3", "0-4", "0-10");
                awaitPartitions(b, "0-5", "0-6", "0-7", "0-8", "0-9");
                assertThat(a.events)
                        .containsExactly(
                                "assigned 0-0,0-1,0-2,0-3,0-4,0-5,0-6,0-7,0-8,0-9,0-10", "revoked 0-5,0-6,0-7,0-8,0-9");
            }
            await().atMost(PATIENCE).until(() -> a.owned.size() == 11);
        }
    }

    @Test
    void shouldGiveAPartitionToTheNextOnlyWhenItWasReleased() throws Exception {
        server.broker(0, "t", 2);
        try (Member a = new Member(server.connect(), "a", ledger, TOPIC, false, PATIENCE)) {
            awaitPartitions(a, "0-0", "0-1");
            try (Member b = new Member(server.connect(), "b", ledger, TOPIC)) {
                await().atMost(PATIENCE).until(() -> a.revoking.size() == 1);
                assertThat(server.get(OWNERS + "0-1")).isEqualTo("group_a");
                assertThat(b.owned).isEmpty();
                a.release();
                awaitPartitions(b, "0-1");
            }
        }
    }

    @Test
    void shouldTakeAPartitionBackThatWasReleasedTooLateToMove() throws Exception {
        server.broker(0, "t", 2);
        try (Member a = new Member(server.connect(), "a", ledger, TOPIC, false, PATIENCE)) {
            awaitPartitions(a, "0-0", "0-1");
            try (Member b = new Member(server.connect(), "b", ledger, TOPIC)) {
                await().atMost(PATIENCE).until(() -> a.revoking.size() == 1);
                assertThat(b.owned).isEmpty();
            }
            await().atMost(PATIENCE).until(() -> server.get("/meta/consumers/group/ids/group_b") == null);
            a.release();
            awaitPartitions(a, "0-0", "0-1");
            assertThat(a.events).containsExactly("assigned 0-0,0-1", "revoked 0-1", "assigned 0-1");
        }
    }

    @Test
    void shouldClaimAsSoonAsAForeignOwnerLetsGo() throws Exception {
        server.broker(0, "t", 2);
        server.put(OWNERS + "0-1", "group_someone", CreateMode.EPHEMERAL);
        try (Member a = new Member(server.connect(), "a", ledger, TOPIC)) {
            awaitPartitions(a, "0-0");
            assertThat(server.get(OWNERS + "0-1")).isEqualTo("group_someone");
            server.zooKeeper.delete(OWNERS + "0-1", -1);
            awaitPartitions(a, "0-0", "0-1");
        }
    }

    @Test
    void shouldFollowTopicsThatComeGrowAndClose() throws Exception {
        try (Member a = new Member(server.connect(), "a", ledger, TOPIC)) {
            await().atMost(PATIENCE).until(() -> server.get("/meta/consumers/group/ids/group_a") != null);
            server.broker(3, "t", 1);
            awaitPartitions(a, "3-0");
            server.topicGone(3, "t");
            awaitPartitions(a);
            server.broker(3, "t", 2);
            awaitPartitions(a, "3-0", "3-1");
            server.broker(4, "t", 1);
            awaitPartitions(a, "3-0", "3-1", "4-0");
        }
    }

    @Test
    void shouldKeepWhatItReadsWhileABrokerRestarts() throws Exception {
        server.broker(3, "t", 2);
        server.broker(4, "t", 1);
        try (Member a = new Member(server.connect(), "a", ledger, TOPIC)) {
            awaitPartitions(a, "3-0", "3-1", "4-0");
            server.brokerGone(3, "t");
            server.broker(5, "t", 1);
            awaitPartitions(a, "3-0", "3-1", "4-0", "5-0");
            server.broker(3, "t", 3);
            awaitPartitions(a, "3-0", "3-1", "3-2", "4-0", "5-0");
            assertThat(a.events).containsExactly("assigned 3-0,3-1,4-0", "assigned 5-0", "assigned 3-2");
        }
    }

    @Test
    void shouldLoseAllWhenItsSessionExpiresAndComeBack() throws Exception {
        server.broker(0, "t", 2);
        try (Member a = new Member(server.connect(), "a", ledger, TOPIC)) {
            awaitPartitions(a, "0-0", "0-1");
            long session = server.session(OWNERS + "0-0");
            server.expire(session);
            await().atMost(PATIENCE).until(() -> a.events.contains("lost 0-0,0-1"));
            awaitPartitions(a, "0-0", "0-1");
            assertThat(server.session(OWNERS + "0-0")).isNotEqualTo(session).isNotZero();
        }
    }

    @Test
    void shouldStopReadingInTimeWhenZooKeeperIsAwayAndGoOnWhenItIsBack() throws Exception {
        server.broker(0, "t", 2);
        try (Member a = new Member(server.connect(), "a", ledger, TOPIC, true, Duration.ofSeconds(6))) {
            awaitPartitions(a, "0-0", "0-1");
            server.stopServer();
            await().atMost(PATIENCE).until(() -> a.events.contains("lost 0-0,0-1"));
            server.startServerAgain();
            awaitPartitions(a, "0-0", "0-1");
        }
    }

    @Test
    void shouldGoOnReadingOverAShortBreak() throws Exception {
        server.broker(0, "t", 2);
        try (Member a = new Member(server.connect(), "a", ledger, TOPIC, true, Duration.ofSeconds(60))) {
            awaitPartitions(a, "0-0", "0-1");
            server.stopServer();
            server.startServerAgain();
            server.broker(1, "t", 1);
            awaitPartitions(a, "0-0", "0-1", "1-0");
            assertThat(a.events).containsExactly("assigned 0-0,0-1", "assigned 1-0");
        }
    }

    @Test
    void shouldWakeAMemberThatGaveUp() throws Exception {
        server.broker(0, "t", 2);
        server.put("/meta/consumers/group/ids/group_old", "t", CreateMode.EPHEMERAL);
        try (Member a = new Member(server.connect(), "a", ledger, TOPIC, true, Duration.ofSeconds(2))) {
            awaitPartitions(a, "0-0");
            CountDownLatch woken = new CountDownLatch(1);
            server.zooKeeper.getChildren("/meta/consumers/group/ids", event -> woken.countDown());
            assertThat(woken.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(server.get("/meta/consumers/group/ids/group_a")).isEqualTo("t");
            assertThat(a.events).containsExactly("assigned 0-0");
        }
    }

    @Test
    void shouldCloseInTimeWhenZooKeeperIsAway() throws Exception {
        server.broker(0, "t", 2);
        Member a = new Member(server.connect(), "a", ledger, TOPIC);
        awaitPartitions(a, "0-0", "0-1");
        server.stopServer();
        long begun = System.nanoTime();
        a.close();
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
        server.startServerAgain();
    }

    @Test
    void shouldFindExactlyOneOwnerForEachPartitionAfterMembersCameWentAndCrashed() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        server.broker(0, "t", 12);
        server.broker(1, "t", 3);
        List<Member> members = new ArrayList<>();
        for (int step = 0; step < 30; step++) {
            int choice = random.nextInt(4);
            if (choice <= 1 || members.isEmpty()) {
                members.add(new Member(server.connect(), "m" + step, ledger, TOPIC));
            } else if (choice == 2) {
                members.remove(random.nextInt(members.size())).close();
            } else {
                members.remove(random.nextInt(members.size())).crash();
            }
        }
        members.add(new Member(server.connect(), "last", ledger, TOPIC));
        await().atMost(PATIENCE).untilAsserted(() -> {
            List<TopicPartition> all = new ArrayList<>();
            members.forEach(member -> all.addAll(member.owned));
            assertThat(all).as("seed %d: %s", seed, members).hasSize(15).doesNotHaveDuplicates();
        });
        members.forEach(Member::close);
    }

    private static void awaitPartitions(Member member, String... partitions) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(member.partitions()).containsExactlyInAnyOrder(partitions));
    }
}
