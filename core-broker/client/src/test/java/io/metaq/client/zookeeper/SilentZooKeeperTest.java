package io.metaq.client.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.metaq.client.Cluster;
import io.metaq.client.MetaqException;
import io.metaq.client.Route;
import io.metaq.client.RouteSource.Use;
import io.metaq.testkit.net.FaultyLink;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ZooKeeper that does not refuse but does not answer either, as behind a network that drops packets. */
class SilentZooKeeperTest {
    private static final Duration SESSION = Duration.ofSeconds(6);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Set<String> TOPIC = Set.of("t");

    @TempDir
    Path directory;

    private TestZooKeeper server;
    private FaultyLink link;
    private final Member.Ledger ledger = new Member.Ledger();

    @BeforeEach
    void start() throws Exception {
        server = new TestZooKeeper(directory.resolve("zookeeper"));
        server.broker(0, "t", 4);
        link = new FaultyLink(server.port());
    }

    @AfterEach
    void stop() throws Exception {
        link.close();
        server.close();
    }

    @Test
    void shouldStopReadingBeforeOthersBeginAndShareAgainAfterwards() {
        try (Member cutOff = new Member(link.address(), "a", ledger, TOPIC, true, SESSION);
                Member other = new Member(server.connect(), "b", ledger, TOPIC, true, SESSION)) {
            await().atMost(PATIENCE).until(() -> cutOff.owned.size() == 2 && other.owned.size() == 2);
            link.silence();
            await().atMost(PATIENCE).until(() -> other.owned.size() == 4);
            assertThat(cutOff.owned).isEmpty();
            link.heal();
            await().atMost(PATIENCE).until(() -> cutOff.owned.size() == 2 && other.owned.size() == 2);
            assertThat(ledger.overlaps).isEmpty();
        }
    }

    @Test
    void shouldGoOnReadingWhenTheConnectionBreaksForAMoment() {
        try (Member member = new Member(link.address(), "a", ledger, TOPIC, true, Duration.ofSeconds(30))) {
            await().atMost(PATIENCE).until(() -> member.owned.size() == 4);
            link.cut();
            try (Member other = new Member(server.connect(), "b", ledger, TOPIC)) {
                await().atMost(PATIENCE).until(() -> member.owned.size() == 2 && other.owned.size() == 2);
            }
            assertThat(member.events).noneMatch(event -> event.startsWith("lost"));
        }
    }

    @Test
    void shouldGiveUpOpeningInTime() {
        link.silence();
        assertThatThrownBy(() -> new ZooKeeperClusterProvider()
                        .open(link.address(), "/meta", Duration.ofSeconds(30), Duration.ofMillis(500), false))
                .isInstanceOf(MetaqException.class)
                .hasMessageContaining(link.address());
        assertNoThreadIsLeft();
    }

    @Test
    void shouldAnswerWithWhatItKnowsAndCloseInTime() {
        Cluster cluster = new ZooKeeperClusterProvider()
                .open(link.address(), "/meta", Duration.ofSeconds(30), Duration.ofSeconds(20), false);
        Route known = cluster.routes().route("t", Use.PUBLISH);
        link.silence();
        assertThat(cluster.routes().route("t", Use.PUBLISH)).isEqualTo(known).isNotNull();
        assertThatThrownBy(() -> cluster.routes().route("unknown", Use.PUBLISH)).isInstanceOf(MetaqException.class);
        long begun = System.nanoTime();
        cluster.close();
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
        assertNoThreadIsLeft();
    }

    private void assertNoThreadIsLeft() {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .extracting(Thread::getName)
                        .noneMatch(name -> name.contains(link.address()) || name.startsWith("metaq-")));
    }
}
