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
import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.OriginalClient;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A group of old and new consumers reads on while members come and go: they share offsets as well as partitions. */
class SharedConsumptionTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String TOPIC = "shared";
    private static final String GROUP = "mixed";
    private static final int PARTITIONS = 5;

    @TempDir
    Path directory;

    private EmbeddedZooKeeper zooKeeper;
    private Broker broker;
    private MetaqClient client;
    private Producer producer;
    private GroupNodes nodes;
    private final Map<String, List<String>> deliveries = new ConcurrentHashMap<>();
    private int sent;

    @BeforeEach
    void start() throws Exception {
        zooKeeper = EmbeddedZooKeeper.start(
                directory.resolve("zk"), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        broker = Broker.start(BrokerConfig.load(BrokerFiles.in(directory.resolve("broker"))
                .set("maxMessageSize", 1 << 20)
                .osTopic(TOPIC, PARTITIONS)
                .zookeeper(zooKeeper.connectString())
                .write()));
        client = MetaqClient.builder().zookeeper(zooKeeper.connectString()).build();
        producer = client.producer().build();
        nodes = new GroupNodes(zooKeeper.connectString(), GROUP, TOPIC);
    }

    @AfterEach
    void stop() throws Exception {
        nodes.close();
        client.close();
        broker.close();
        zooKeeper.close();
    }

    @Test
    void shouldGoOnWhereTheOtherKindStopped() throws Exception {
        try (OriginalClient old = OriginalClient.through(zooKeeper.connectString())) {
            old.consume(TOPIC, GROUP);
            awaitMembers(1);
            send(20);
            awaitAll(old);
            Consumer fresh = consumer("fresh");
            awaitMembers(2);
            send(20);
            awaitAll(old);
            old.shutdown();
            awaitMembers(1);
            send(20);
            awaitAll(old);
            fresh.close();
            send(20);
            try (OriginalClient again = OriginalClient.through(zooKeeper.connectString())) {
                again.consume(TOPIC, GROUP);
                awaitAll(again);
                again.shutdown();
            }
        }
        assertThat(deliveries.values()).allSatisfy(times -> assertThat(times).hasSize(1));
    }

    private Consumer consumer(String name) {
        return client.consumer(GROUP)
                .memberName(name)
                .offsetsInZooKeeper()
                .subscribe(TOPIC, message -> note(new String(message.data(), UTF_8), name))
                .start();
    }

    private void send(int count) {
        for (int i = 0; i < count; i++) {
            producer.send(Message.of(TOPIC, ("message " + sent++).getBytes(UTF_8)));
        }
    }

    private void note(String data, String by) {
        deliveries.computeIfAbsent(data, d -> new CopyOnWriteArrayList<>()).add(by);
    }

    private void awaitAll(OriginalClient old) {
        List<String> all =
                IntStream.range(0, sent).mapToObj(i -> "message " + i).toList();
        await().atMost(PATIENCE).untilAsserted(() -> {
            old.received().forEach(message -> note(message.data(), "old"));
            assertThat(deliveries).containsOnlyKeys(all);
        });
    }

    private void awaitMembers(int members) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            List<String> names = nodes.members();
            assertThat(names).hasSize(members);
            assertThat(nodes.owners()).isEqualTo(nodes.ranges(names, PARTITIONS));
        });
    }
}
