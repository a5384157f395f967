package io.metaq.tck.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.metaq.broker.Broker;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.zookeeper.EmbeddedZooKeeper;
import io.metaq.client.Consumer;
import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.client.Producer;
import io.metaq.client.SendResult;
import io.metaq.client.Start;
import io.metaq.client.TopicPartition;
import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.Wire;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client that knows one broker of several in one ZooKeeper reaches the whole of a topic. */
class RoutesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String TOPIC = "wide";
    private static final int PARTITIONS = 2;

    @TempDir
    Path directory;

    private EmbeddedZooKeeper zooKeeper;
    private Broker first;
    private Broker second;

    @BeforeEach
    void start() throws Exception {
        zooKeeper = EmbeddedZooKeeper.start(
                directory.resolve("zk"), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        first = broker(1);
        second = broker(2);
    }

    @AfterEach
    void stop() {
        first.close();
        second.close();
        zooKeeper.close();
    }

    private Broker broker(int id) throws Exception {
        return Broker.start(BrokerConfig.load(files(id, "127.0.0.1").write()));
    }

    private BrokerFiles files(int id, String hostName) {
        return BrokerFiles.in(directory.resolve("broker" + id))
                .set("brokerId", id)
                .set("hostName", hostName)
                .set("maxMessageSize", 1 << 20)
                .osTopic(TOPIC, PARTITIONS)
                .zookeeper(zooKeeper.connectString());
    }

    private static MetaqClient client(Broker broker) {
        return MetaqClient.builder()
                .servers("localhost:" + broker.port())
                .routeRefresh(Duration.ofMillis(100))
                .build();
    }

    @Test
    void shouldTellBothBrokersByEither() throws Exception {
        for (Broker asked : List.of(first, second)) {
            assertThat(routes(asked, TOPIC))
                    .containsExactly(
                            "broker 1 127.0.0.1:" + first.port() + " partitions 2 publish true subscribe true",
                            "broker 2 127.0.0.1:" + second.port() + " partitions 2 publish true subscribe true");
        }
    }

    @Test
    void shouldTellWhoHasATopicThatTheAskedBrokerDoesNotHave() throws Exception {
        command(second, "topic create elsewhere", "partitions=3");
        command(second, "topic close elsewhere", "for=publish");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(routes(first, "elsewhere"))
                        .containsExactly(
                                "broker 2 127.0.0.1:" + second.port() + " partitions 3 publish false subscribe true"));
    }

    @Test
    void shouldTellWhatItKnewWhileZooKeeperIsAway() throws Exception {
        List<String> before = routes(first, TOPIC);
        zooKeeper.close();
        assertThat(routes(first, TOPIC)).isEqualTo(before);
    }

    @Test
    void shouldWriteToAndReadFromAllPartitions() throws Exception {
        Set<TopicPartition> written = new TreeSet<>();
        Set<TopicPartition> read = new ConcurrentSkipListSet<>();
        try (MetaqClient client = client(first);
                Producer producer = client.producer().build();
                Consumer consumer = client.consumer("readers")
                        .startAt(Start.first())
                        .subscribe(TOPIC, message -> read.add(message.partition()))
                        .start()) {
            for (int i = 0; i < 40; i++) {
                SendResult stored = producer.send(message("message " + i));
                written.add(stored.partition());
            }
            assertThat(written).hasSize(2 * PARTITIONS);
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(read).isEqualTo(written));
        }
    }

    @Test
    void shouldGoOnByTheOthersWhenTheBrokerThatItKnowsGoes() throws Exception {
        try (MetaqClient client = client(first);
                Producer producer = client.producer().build()) {
            producer.send(message("before"));
            first.close();
            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(() -> producer.send(message("after")).partition().broker() == 2);
        }
    }

    @Test
    void shouldHaveOneSeatAtABrokerThatIsGivenTwice() throws Exception {
        List<String> read = new CopyOnWriteArrayList<>();
        try (MetaqClient client = MetaqClient.builder()
                        .servers("localhost:" + first.port() + ",127.0.0.1:" + first.port())
                        .build();
                Producer producer = client.producer().build();
                Consumer consumer = client.consumer("once")
                        .startAt(Start.first())
                        .subscribe(TOPIC, message -> read.add(new String(message.data(), UTF_8)))
                        .start()) {
            for (int i = 0; i < 40; i++) {
                producer.send(message("message " + i));
            }
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(read).hasSizeGreaterThanOrEqualTo(40));
            assertThat(read).doesNotHaveDuplicates();
        }
    }

    @Test
    void shouldSendEverythingToABrokerThatComesBackByAnotherName() throws Exception {
        int port = first.port();
        second.close();
        List<String> sent = new ArrayList<>();
        List<String> read = new CopyOnWriteArrayList<>();
        try (MetaqClient client = MetaqClient.builder()
                        .zookeeper(zooKeeper.connectString())
                        .build();
                Producer producer = client.producer().build();
                Consumer consumer = client.consumer("all")
                        .startAt(Start.first())
                        .subscribe(TOPIC, message -> read.add(new String(message.data(), UTF_8)))
                        .start()) {
            await().atMost(PATIENCE)
                    .until(() -> hostOf(send(producer, "by its first name", sent)), "127.0.0.1"::equals);
            first.close();
            first = Broker.start(BrokerConfig.load(
                    files(1, "localhost").set("serverPort", port).write()));
            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(() -> hostOf(send(producer, "by its other name", sent)), "localhost"::equals);
            for (int i = 0; i < 40; i++) {
                send(producer, "message", sent);
            }
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(read).containsAll(sent));
            assertThat(read).doesNotHaveDuplicates();
        }
    }

    private static SendResult send(Producer producer, String text, List<String> sent) {
        String numbered = text + " " + sent.size();
        SendResult result = producer.send(message(numbered));
        sent.add(numbered);
        return result;
    }

    private static String hostOf(SendResult result) {
        return result.server().host();
    }

    private static Message message(String text) {
        return Message.of(TOPIC, text.getBytes(UTF_8));
    }

    private static List<String> routes(Broker broker, String topic) throws Exception {
        return command(broker, "topic routes " + topic, "").lines().toList();
    }

    private static String command(Broker broker, String command, String options) throws Exception {
        try (Wire wire = Wire.connect(broker.port())) {
            return wire.askWithOptions(command, options, new byte[0]).text();
        }
    }
}
