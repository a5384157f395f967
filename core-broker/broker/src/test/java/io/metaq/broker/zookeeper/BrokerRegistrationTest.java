package io.metaq.broker.zookeeper;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.metaq.testkit.net.FaultyLink;
import io.metaq.testkit.net.FreePort;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.zookeeper.CreateMode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BrokerRegistrationTest {
    private static final String MASTER = "/meta/brokers/ids/7/master";
    private static final BrokerInfo BROKER = new BrokerInfo(7, "127.0.0.1", 8123, -1, 3_000_000_000L);

    @TempDir
    Path directory;

    private EmbeddedZooKeeper server;
    private ZooKeeperSession observer;
    private volatile Collection<TopicRegistration> topics = List.of(new TopicRegistration("test", 2, true, true));

    @BeforeEach
    void start() throws Exception {
        server = EmbeddedZooKeeper.start(directory.resolve("zookeeper"), loopback(0));
        observer = new ZooKeeperSession(server.connectString());
    }

    @AfterEach
    void stop() throws Exception {
        observer.close();
        server.close();
    }

    @Test
    void shouldShowTheTreeThatOldClientsRead() throws Exception {
        topics = List.of(
                new TopicRegistration("test", 2, true, true),
                new TopicRegistration("readonly", 3, false, true),
                new TopicRegistration("writeonly", 1, true, false),
                new TopicRegistration("hidden", 1, false, false));
        try (BrokerRegistration registration = register(BROKER)) {
            assertThat(registration.registered()).isTrue();
            assertThat(observer.dump("/meta"))
                    .containsExactly(
                            entry("/meta/brokers", "P "),
                            entry("/meta/brokers/ids", "P "),
                            entry("/meta/brokers/ids/7", "P meta://127.0.0.1:8123"),
                            entry("/meta/brokers/ids/7/master", "E meta://127.0.0.1:8123"),
                            entry("/meta/brokers/ids/7/master_config_checksum", "E 3000000000"),
                            entry("/meta/brokers/topics", "P "),
                            entry("/meta/brokers/topics-pub", "P "),
                            entry("/meta/brokers/topics-pub/test", "P "),
                            entry("/meta/brokers/topics-pub/test/7-m", "E {\"broker\":\"7-m\",\"numParts\":2}"),
                            entry("/meta/brokers/topics-pub/writeonly", "P "),
                            entry("/meta/brokers/topics-pub/writeonly/7-m", "E {\"broker\":\"7-m\",\"numParts\":1}"),
                            entry("/meta/brokers/topics-sub", "P "),
                            entry("/meta/brokers/topics-sub/readonly", "P "),
                            entry("/meta/brokers/topics-sub/readonly/7-m", "E {\"broker\":\"7-m\",\"numParts\":3}"),
                            entry("/meta/brokers/topics-sub/test", "P "),
                            entry("/meta/brokers/topics-sub/test/7-m", "E {\"broker\":\"7-m\",\"numParts\":2}"),
                            entry("/meta/brokers/topics/hidden", "P "),
                            entry("/meta/brokers/topics/hidden/7-m", "E 1"),
                            entry("/meta/brokers/topics/readonly", "P "),
                            entry("/meta/brokers/topics/readonly/7-m", "E 3"),
                            entry("/meta/brokers/topics/test", "P "),
                            entry("/meta/brokers/topics/test/7-m", "E 2"),
                            entry("/meta/brokers/topics/writeonly", "P "),
                            entry("/meta/brokers/topics/writeonly/7-m", "E 1"));
        }
    }

    @Test
    void shouldTellItsPortForTlsWhereOldClientsDoNotLook() throws Exception {
        try (BrokerRegistration registration = register(new BrokerInfo(7, "127.0.0.1", 8123, 8143, 0))) {
            assertThat(registration.registered()).isTrue();
            assertThat(observer.dump("/meta/brokers/tls")).containsExactly(entry("/meta/brokers/tls/7", "E 8143"));
        }
    }

    @Test
    void shouldLeaveNothingButEmptyFoldersWhenItCloses() throws Exception {
        register(BROKER).close();
        assertThat(observer.dump("/meta"))
                .containsOnlyKeys(
                        "/meta/brokers",
                        "/meta/brokers/ids",
                        "/meta/brokers/topics",
                        "/meta/brokers/topics/test",
                        "/meta/brokers/topics-pub",
                        "/meta/brokers/topics-pub/test",
                        "/meta/brokers/topics-sub",
                        "/meta/brokers/topics-sub/test");
    }

    @Test
    void shouldEmptyTheOldEntryWhenAReplicaStays() throws Exception {
        BrokerRegistration registration = register(BROKER);
        observer.create("/meta/brokers/ids/7/slave0", "meta://127.0.0.1:8124", CreateMode.EPHEMERAL);
        registration.close();
        assertThat(observer.dump("/meta/brokers/ids"))
                .containsExactly(
                        entry("/meta/brokers/ids/7", "P "),
                        entry("/meta/brokers/ids/7/slave0", "E meta://127.0.0.1:8124"));
    }

    @Test
    void shouldReplaceItsNodesAfterARestartWithinTheOldSession() throws Exception {
        observer.create(MASTER, "meta://127.0.0.1:8123", CreateMode.EPHEMERAL);
        observer.create("/meta/brokers/ids/7/master_config_checksum", "1", CreateMode.EPHEMERAL);
        observer.create("/meta/brokers/topics/test/7-m", "9", CreateMode.EPHEMERAL);
        observer.create(
                "/meta/brokers/topics-sub/test/7-m", "{\"broker\":\"7-m\",\"numParts\":9}", CreateMode.EPHEMERAL);
        try (BrokerRegistration registration = register(BROKER)) {
            assertThat(registration.registered()).isTrue();
            observer.close();
            observer = new ZooKeeperSession(server.connectString());
            assertThat(observer.data("/meta/brokers/topics/test/7-m")).isEqualTo("2");
            assertThat(observer.data("/meta/brokers/topics-sub/test/7-m")).contains("\"numParts\":2");
            assertThat(observer.data("/meta/brokers/ids/7/master_config_checksum"))
                    .isEqualTo("3000000000");
        }
    }

    @Test
    void shouldKnowItsOldSessionWhenTheAddressChanged() throws Exception {
        observer.create(MASTER, "meta://127.0.0.1:9999", CreateMode.EPHEMERAL);
        Files.writeString(sessionFile(), Long.toHexString(observer.zooKeeper.getSessionId()) + "\n");
        try (BrokerRegistration registration = register(BROKER)) {
            assertThat(observer.data(MASTER)).isEqualTo("meta://127.0.0.1:8123");
            assertThat(registration.registered()).isTrue();
        }
    }

    @Test
    void shouldRefuseAnIdThatAnotherBrokerHolds() throws Exception {
        observer.create(MASTER, "meta://10.0.0.9:8123", CreateMode.EPHEMERAL);
        assertThatThrownBy(() -> register(BROKER))
                .isInstanceOf(BrokerIdTakenException.class)
                .hasMessageContaining("brokerId 7")
                .hasMessageContaining("meta://10.0.0.9:8123");
        assertThat(observer.data(MASTER)).isEqualTo("meta://10.0.0.9:8123");
    }

    @Test
    void shouldRegisterAnewWhenItsSessionExpired() throws Exception {
        try (BrokerRegistration registration = register(BROKER)) {
            long session = observer.owner(MASTER);
            ZooKeeperSession.expire(server.connectString(), session);
            await().atMost(Duration.ofSeconds(30)).until(() -> {
                long owner = observer.owner(MASTER);
                return owner != 0 && owner != session && registration.registered();
            });
            assertThat(observer.owner("/meta/brokers/topics-sub/test/7-m")).isEqualTo(observer.owner(MASTER));
        }
    }

    @Test
    void shouldFollowTheTopicsAtRunTime() throws Exception {
        try (BrokerRegistration registration = register(BROKER)) {
            topics = List.of(
                    new TopicRegistration("test", 2, false, true),
                    new TopicRegistration("fresh", 1, true, true),
                    new TopicRegistration("not/a/node", 1, true, true),
                    new TopicRegistration("..", 1, true, true));
            registration.topicsChanged();
            await().until(() -> observer.owner("/meta/brokers/topics-sub/fresh/7-m") != 0
                    && observer.owner("/meta/brokers/topics-pub/test/7-m") == 0);
            topics = List.of();
            registration.topicsChanged();
            await().until(() -> observer.owner("/meta/brokers/topics-sub/fresh/7-m") == 0
                    && observer.owner("/meta/brokers/topics/test/7-m") == 0);
            assertThat(observer.owner(MASTER)).isNotZero();
        }
    }

    @Test
    void shouldWakeClientsThatWatchOnlyTheChildrenWhenPartitionsAreAdded() throws Exception {
        try (BrokerRegistration registration = register(BROKER)) {
            CountDownLatch woken = new CountDownLatch(1);
            observer.zooKeeper.getChildren("/meta/brokers/topics-pub/test", event -> woken.countDown());
            topics = List.of(new TopicRegistration("test", 5, true, true));
            registration.topicsChanged();
            assertThat(woken.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(observer.data("/meta/brokers/topics-pub/test/7-m")).contains("\"numParts\":5");
        }
    }

    @Test
    void shouldRegisterTenThousandTopics() throws Exception {
        topics = IntStream.range(0, 10_000)
                .mapToObj(n -> new TopicRegistration("topic-" + n, 1, true, true))
                .toList();
        try (BrokerRegistration registration = register(BROKER)) {
            await().atMost(Duration.ofSeconds(60)).until(registration::registered);
            assertThat(observer.zooKeeper.getAllChildrenNumber("/meta/brokers/topics-sub"))
                    .isEqualTo(20_000);
        }
    }

    @Test
    void shouldStartWithoutZooKeeperAndRegisterWhenItComes() throws Exception {
        int port = FreePort.find();
        ZooKeeperConfig config = new ZooKeeperConfig("127.0.0.1:" + port, "/meta", 30_000, 200);
        try (BrokerRegistration registration = BrokerRegistration.start(config, BROKER, sessionFile(), () -> topics);
                EmbeddedZooKeeper late = EmbeddedZooKeeper.start(directory.resolve("late"), loopback(port))) {
            assertThat(late.port()).isEqualTo(port);
            await().atMost(Duration.ofSeconds(60)).until(registration::registered);
        }
    }

    @Test
    void shouldStopInTimeWhenZooKeeperIsAway() throws Exception {
        BrokerRegistration registration = register(BROKER);
        server.close();
        long begun = System.nanoTime();
        registration.close();
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(30));
        server = EmbeddedZooKeeper.start(directory.resolve("zookeeper"), loopback(0));
    }

    @Test
    void shouldStartAndStopInTimeWhenZooKeeperIsSilent() throws Exception {
        try (FaultyLink link = new FaultyLink(server.port())) {
            link.silence();
            ZooKeeperConfig config = new ZooKeeperConfig(link.address(), "/meta", 30_000, 500);
            long begun = System.nanoTime();
            BrokerRegistration never = BrokerRegistration.start(config, BROKER, sessionFile(), () -> topics);
            assertThat(never.registered()).isFalse();
            never.close();
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(30));
        }
    }

    @Test
    void shouldStopInTimeWhenZooKeeperFellSilentAndRegisterWhenItSpeaksAgain() throws Exception {
        try (FaultyLink link = new FaultyLink(server.port())) {
            ZooKeeperConfig config = new ZooKeeperConfig(link.address(), "/meta", 3_000, 20_000);
            BrokerRegistration registration = BrokerRegistration.start(config, BROKER, sessionFile(), () -> topics);
            long session = observer.owner(MASTER);
            link.silence();
            await().atMost(Duration.ofSeconds(30)).until(() -> observer.owner(MASTER) == 0);
            link.heal();
            await().atMost(Duration.ofSeconds(30)).until(() -> observer.owner(MASTER) != 0);
            assertThat(observer.owner(MASTER)).isNotEqualTo(session);
            await().atMost(Duration.ofSeconds(30)).until(registration::registered);
            link.silence();
            long begun = System.nanoTime();
            registration.close();
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(30));
        }
    }

    @Test
    void shouldKeepItsDataOverARestartOfTheServer() throws Exception {
        observer.create("/kept", "here", CreateMode.PERSISTENT);
        observer.close();
        server.close();
        server = EmbeddedZooKeeper.start(directory.resolve("zookeeper"), loopback(0));
        observer = new ZooKeeperSession(server.connectString());
        assertThat(observer.data("/kept")).isEqualTo("here");
    }

    private BrokerRegistration register(BrokerInfo broker) {
        return BrokerRegistration.start(
                ZooKeeperConfig.of(server.connectString()), broker, sessionFile(), () -> topics);
    }

    private Path sessionFile() {
        return directory.resolve("zookeeper-sessions");
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }
}
