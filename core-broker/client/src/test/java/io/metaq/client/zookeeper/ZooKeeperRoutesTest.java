package io.metaq.client.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.metaq.client.BrokerAddress;
import io.metaq.client.BrokerNode;
import io.metaq.client.Cluster;
import io.metaq.client.ClusterProvider;
import io.metaq.client.MetaqException;
import io.metaq.client.Route;
import io.metaq.client.RouteSource.Use;
import java.net.InetAddress;
import java.net.ServerSocket;
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
                .open(server.connect(), "meta/", TIMEOUT, TIMEOUT);
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

    @Test
    void shouldKeepTheAddressOfTheLastBrokerWhileItRestarts() throws Exception {
        server.broker(7, "t", 2);
        Route known = cluster.routes().route("t", Use.PUBLISH);
        List<Route> told = new CopyOnWriteArrayList<>();
        var watch = cluster.routes().watch("t", Use.PUBLISH, told::add);
        server.brokerGone(7, "t");
        assertThat(cluster.routes().route("t", Use.PUBLISH)).isEqualTo(known);
        server.broker(7, "t", 3);
        await().untilAsserted(() -> assertThat(told).hasSize(1));
        assertThat(told.get(0).partitions()).hasSize(3);
        watch.close();
    }

    @Test
    void shouldForgetATopicThatALivingBrokerClosed() throws Exception {
        server.broker(7, "t", 2);
        assertThat(cluster.routes().route("t", Use.PUBLISH).entries()).hasSize(1);
        server.topicGone(7, "t");
        await().until(() -> cluster.routes().route("t", Use.PUBLISH).entries().isEmpty());
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
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        assertThatThrownBy(() -> new ZooKeeperClusterProvider()
                        .open("127.0.0.1:" + port, "/meta", TIMEOUT, Duration.ofMillis(300)))
                .isInstanceOf(MetaqException.class)
                .hasMessageContaining("127.0.0.1:" + port)
                .hasMessageContaining("300 ms");
    }
}
