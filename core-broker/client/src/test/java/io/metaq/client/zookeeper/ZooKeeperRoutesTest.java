package io.metaq.client.zookeeper;

import static io.metaq.client.zookeeper.TestZooKeeper.BrokerPart.BROKER;
import static io.metaq.client.zookeeper.TestZooKeeper.BrokerPart.TO_PUBLISH;
import static io.metaq.client.zookeeper.TestZooKeeper.BrokerPart.TO_SUBSCRIBE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.metaq.client.BrokerAddress;
import io.metaq.client.BrokerNode;
import io.metaq.client.Cluster;
import io.metaq.client.ClusterProvider;
import io.metaq.client.MetaqException;
import io.metaq.client.Route;
import io.metaq.client.RouteSource;
import io.metaq.client.RouteSource.Use;
import io.metaq.client.zookeeper.TestZooKeeper.BrokerPart;
import io.metaq.testkit.net.ClosedPort;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.zookeeper.CreateMode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ZooKeeperRoutesTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final long AN_HOUR_MS = 3_600_000;

    @TempDir
    Path directory;

    private TestZooKeeper server;
    private Cluster cluster;

    @BeforeEach
    void start() throws Exception {
        server = new TestZooKeeper(directory.resolve("zookeeper"));
        cluster = ServiceLoader.load(ClusterProvider.class)
                .findFirst()
                .orElseThrow()
                .open(server.connect(), "meta/", TIMEOUT, TIMEOUT, false);
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
        server.close();
    }

    @Test
    void shouldTellMastersToProducersAndReplicasToConsumersToo() throws Exception {
        server.broker(7, "t", 2);
        server.put("/meta/brokers/ids/8/slave0", "meta://127.0.0.1:7008", CreateMode.EPHEMERAL);
        String replica = "{\"numParts\": 3, \"broker\": \"8-s0\"}";
        server.put("/meta/brokers/topics-pub/t/8-s0", replica, CreateMode.EPHEMERAL);
        server.put("/meta/brokers/topics-sub/t/8-s0", replica, CreateMode.EPHEMERAL);
        Route.Entry master = new Route.Entry(new BrokerNode(7, new BrokerAddress("127.0.0.1", 9007)), 2);
        Route.Entry slave = new Route.Entry(new BrokerNode(8, new BrokerAddress("127.0.0.1", 7008)), 3);
        assertThat(cluster.routes().route("t", Use.PUBLISH).entries()).containsExactly(master);
        assertThat(cluster.routes().route("t", Use.SUBSCRIBE).entries()).containsExactly(master, slave);
        assertThat(cluster.routes().brokers()).containsExactly(master.broker());
    }

    @Test
    void shouldTellChanges() throws Exception {
        List<Integer> partitions = new CopyOnWriteArrayList<>();
        var watch = cluster.routes()
                .watch(
                        "t",
                        Use.PUBLISH,
                        route -> partitions.add(route.partitions().size()));
        server.broker(7, "t", 2);
        await().until(() -> partitions.contains(2));
        server.broker(9, "t", 3);
        await().until(() -> partitions.contains(5));
        server.brokerGone(7, "t");
        await().until(() -> partitions.contains(3));
        watch.close();
    }

    /** A session's nodes go one by one, and come back one by one; which is first is up to servers and versions. */
    @Test
    void shouldKeepTheAddressOfTheLastBrokerWhileItRestarts() throws Exception {
        List<List<BrokerPart>> orders = List.of(
                List.of(BROKER, TO_PUBLISH, TO_SUBSCRIBE),
                List.of(BROKER, TO_SUBSCRIBE, TO_PUBLISH),
                List.of(TO_PUBLISH, BROKER, TO_SUBSCRIBE),
                List.of(TO_PUBLISH, TO_SUBSCRIBE, BROKER),
                List.of(TO_SUBSCRIBE, BROKER, TO_PUBLISH),
                List.of(TO_SUBSCRIBE, TO_PUBLISH, BROKER));
        try (Session session = new Session(server.connect(), TIMEOUT);
                ZooKeeperRoutes routes = routes(session, new Absence.Patience(AN_HOUR_MS, AN_HOUR_MS))) {
            for (Use use : Use.values()) {
                for (int going = 0; going < orders.size(); going++) {
                    for (int coming = 0; coming < orders.size(); coming++) {
                        String topic = use + "-" + going + "-" + coming;
                        restart(routes, topic, use, orders.get(going), orders.get(coming));
                    }
                }
            }
        }
    }

    private void restart(ZooKeeperRoutes routes, String topic, Use use, List<BrokerPart> going, List<BrokerPart> coming)
            throws Exception {
        server.broker(7, topic, 2);
        Route known = routes.route(topic, use);
        List<Route> told = new CopyOnWriteArrayList<>();
        try (RouteSource.Watch watch = routes.watch(topic, use, told::add)) {
            for (BrokerPart part : going) {
                server.delete(part, 7, topic);
                letItSee(routes);
                assertThat(routes.route(topic, use)).isEqualTo(known);
            }
            assertThat(told).as("gone as %s", going).isEmpty();
            for (BrokerPart part : coming) {
                server.create(part, 7, topic, 3);
                letItSee(routes);
            }
            await().atMost(LONG).until(() -> !told.isEmpty());
            assertThat(told).as("gone as %s, back as %s", going, coming).hasSize(1);
            assertThat(told.get(0).partitions()).hasSize(3);
        }
    }

    /** Its events are handled by the thread that also asks this. */
    private static void letItSee(ZooKeeperRoutes routes) {
        routes.brokers();
        routes.brokers();
    }

    private static ZooKeeperRoutes routes(Session session, Absence.Patience patience) {
        session.awaitConnected(LONG);
        return new ZooKeeperRoutes(session, new BrokerNodes(new ZooKeeperPaths("/meta"), false), patience);
    }

    @Test
    void shouldForgetATopicThatALivingBrokerClosed() throws Exception {
        try (Session session = new Session(server.connect(), TIMEOUT);
                ZooKeeperRoutes routes = routes(session, new Absence.Patience(1, AN_HOUR_MS))) {
            server.broker(7, "t", 2);
            assertThat(routes.route("t", Use.PUBLISH).entries()).hasSize(1);
            server.topicGone(7, "t");
            await().atMost(LONG)
                    .until(() -> routes.route("t", Use.PUBLISH).entries().isEmpty());
        }
    }

    @Test
    void shouldForgetABrokerThatStaysAway() throws Exception {
        try (Session session = new Session(server.connect(), TIMEOUT);
                ZooKeeperRoutes routes = routes(session, new Absence.Patience(AN_HOUR_MS, 1))) {
            server.broker(7, "t", 2);
            assertThat(routes.route("t", Use.PUBLISH).entries()).hasSize(1);
            server.topicGone(7, "t");
            letItSee(routes);
            assertThat(routes.route("t", Use.PUBLISH).entries()).hasSize(1);
            server.delete(BROKER, 7, "t");
            await().atMost(LONG)
                    .until(() -> routes.route("t", Use.PUBLISH).entries().isEmpty());
        }
    }

    @Test
    void shouldFindATopicThatCameAMomentAgo() throws Exception {
        assertThat(cluster.routes().route("t", Use.PUBLISH).entries()).isEmpty();
        server.broker(7, "t", 2);
        assertThat(cluster.routes().route("t", Use.PUBLISH).partitions()).hasSize(2);
    }

    @Test
    void shouldFollowABrokerToItsNewAddress() throws Exception {
        server.broker(7, "t", 1);
        assertThat(cluster.routes().route("t", Use.PUBLISH).entries()).hasSize(1);
        server.zooKeeper.delete("/meta/brokers/ids/7/master", -1);
        server.put("/meta/brokers/ids/7/master", "meta://127.0.0.1:7777", CreateMode.EPHEMERAL);
        await().until(() -> cluster.routes().route("t", Use.PUBLISH).entries().stream()
                .anyMatch(entry -> entry.broker().address().port() == 7777));
    }

    @Test
    void shouldGoOnWithTheLastKnownRouteWhenZooKeeperIsAway() throws Exception {
        server.broker(7, "t", 2);
        Route known = cluster.routes().route("t", Use.PUBLISH);
        server.stopServer();
        assertThat(cluster.routes().route("t", Use.PUBLISH)).isEqualTo(known);
        assertThatThrownBy(() -> cluster.routes().route("unknown", Use.PUBLISH))
                .isInstanceOf(MetaqException.class)
                .hasMessageContaining(server.connect());
        server.startServerAgain();
        await().atMost(Duration.ofSeconds(30)).until(() -> cluster.offsets() != null && answers());
    }

    private boolean answers() {
        try {
            return cluster.routes().route("unknown", Use.PUBLISH).entries().isEmpty();
        } catch (MetaqException e) {
            return false;
        }
    }

    @Test
    void shouldSayWhichZooKeeperDoesNotAnswer() throws Exception {
        try (ClosedPort nobody = new ClosedPort()) {
            assertThatThrownBy(() -> new ZooKeeperClusterProvider()
                            .open(nobody.address(), "/meta", TIMEOUT, Duration.ofMillis(300), false))
                    .isInstanceOf(MetaqException.class)
                    .hasMessageContaining(nobody.address())
                    .hasMessageContaining("300 ms");
        }
    }
}
