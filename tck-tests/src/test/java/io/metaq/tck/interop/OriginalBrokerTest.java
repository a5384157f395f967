package io.metaq.tck.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.metaq.broker.zookeeper.EmbeddedZooKeeper;
import io.metaq.client.Consumer;
import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.client.Producer;
import io.metaq.client.TopicPartition;
import io.metaq.client.UnsupportedByBrokerException;
import io.metaq.tck.harness.OriginalBroker;
import io.metaq.tck.harness.OriginalClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Our client against the original broker, for the commands that broker has. */
class OriginalBrokerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    @TempDir
    Path directory;

    @Test
    void shouldServeOurClientDirectly() throws Exception {
        try (var zooKeeper = zooKeeper();
                var broker = OriginalBroker.start(directory.resolve("broker"), zooKeeper.connectString(), "orders");
                var client = MetaqClient.builder().servers(broker.address()).build();
                var producer = client.producer().build()) {
            sendAndBrowse(client, producer);
            pull(client);
            assertThatAdminIsRefusedClearly(client);
        }
    }

    @Test
    void shouldServeTwoMembersOfAGroupOfOurClientThroughZooKeeper() throws Exception {
        try (var zooKeeper = zooKeeper();
                var broker = OriginalBroker.start(directory.resolve("broker"), zooKeeper.connectString(), "orders");
                var one = client(zooKeeper);
                var other = client(zooKeeper);
                var producer = one.producer().build()) {
            sendAndBrowse(one, producer);
            Queue<String> received = new ConcurrentLinkedQueue<>();
            try (var first = consumer(one, received);
                    var second = consumer(other, received)) {
                await().atMost(PATIENCE)
                        .until(() -> first.assignment().size() == 1
                                && second.assignment().size() == 1);
                assertThat(first.assignment()).doesNotContainAnyElementsOf(second.assignment());
                List<String> sent = send(producer, "balanced", 40);
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(received).containsAll(sent));
                assertThat(received.stream().filter(data -> data.startsWith("balanced")))
                        .containsExactlyInAnyOrderElementsOf(sent);
            }
        }
    }

    /** The rule by which partitions are shared out is the same, so an old member and a new one own different partitions. */
    @Test
    void shouldShareAGroupBetweenTheOriginalClientAndOurs() throws Exception {
        try (var zooKeeper = zooKeeper();
                var broker = OriginalBroker.start(directory.resolve("broker"), zooKeeper.connectString(), "orders");
                var old = OriginalClient.through(zooKeeper.connectString());
                var client = client(zooKeeper);
                var producer = client.producer().build()) {
            producer.send(message("warm up"));
            old.consume("orders", "shop");
            Queue<String> ours = new ConcurrentLinkedQueue<>();
            List<String> theirs = new ArrayList<>();
            try (var consumer = consumer(client, ours)) {
                await().atMost(PATIENCE).until(() -> consumer.assignment().size() == 1);
                await().atMost(PATIENCE).untilAsserted(() -> {
                    send(producer, "probe", 2);
                    old.received().forEach(message -> theirs.add(message.data()));
                    assertThat(theirs).isNotEmpty();
                    assertThat(ours).isNotEmpty();
                });
                List<String> sent = send(producer, "shared", 40);
                await().atMost(PATIENCE).untilAsserted(() -> {
                    old.received().forEach(message -> theirs.add(message.data()));
                    List<String> all = new ArrayList<>(ours);
                    all.addAll(theirs);
                    assertThat(all.stream().filter(data -> data.startsWith("shared")))
                            .containsExactlyInAnyOrderElementsOf(sent);
                });
            }
        }
    }

    private static void sendAndBrowse(MetaqClient client, Producer producer) throws Exception {
        List<String> sent = send(producer, "order", 20);
        producer.sendAsync(message("async")).get();
        sent.add("async");
        producer.sendOneWay(message("one way"));
        sent.add("one way");
        producer.flush();
        // The original shows messages only when they are flushed, which it does by the next message or in a while
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(browse(client)).containsAll(sent).hasSameSizeAs(sent));
        assertThat(client.partitions("orders")).hasSize(2);
        Map<String, String> stats = client.stats("orders").values().iterator().next();
        assertThat(stats).containsEntry("partitions", "2").containsEntry("message_count", "" + sent.size());
        assertThat(client.stats("").values().iterator().next()).containsKeys("pid", "cmd_put");
    }

    private static void pull(MetaqClient client) {
        List<String> attributes = new ArrayList<>();
        for (TopicPartition partition : client.partitions("orders")) {
            try (var puller = client.puller(partition);
                    var batch = puller.fetch(0, 100_000, Duration.ZERO)) {
                batch.forEach(message -> attributes.add(String.valueOf(message.attribute())));
                assertThat(batch.nextOffset()).isPositive();
            }
        }
        assertThat(attributes).contains("express \u00e9");
    }

    private static void assertThatAdminIsRefusedClearly(MetaqClient client) {
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> client.admin().createTopic("new", 1, Map.of()))
                .isInstanceOf(UnsupportedByBrokerException.class);
    }

    private static List<String> browse(MetaqClient client) {
        List<String> all = new ArrayList<>();
        try (var browser = client.browse("orders")) {
            browser.forEachRemaining(message -> all.add(new String(message.data(), StandardCharsets.UTF_8)));
        }
        return all;
    }

    private static List<String> send(Producer producer, String prefix, int count) {
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            var message = message(prefix + " " + i);
            var stored = producer.send(i % 4 == 0 ? message.attribute("express \u00e9") : message);
            assertThat(stored.offset()).isNotNegative();
            sent.add(prefix + " " + i);
        }
        return sent;
    }

    private static Message message(String data) {
        return Message.of("orders", data.getBytes(StandardCharsets.UTF_8));
    }

    private static Consumer consumer(MetaqClient client, Queue<String> received) {
        return client.consumer("shop")
                .subscribe("orders", message -> received.add(new String(message.data(), StandardCharsets.UTF_8)))
                .offsetsInZooKeeper()
                .maxIdleDelay(Duration.ofMillis(100))
                .commitInterval(Duration.ofMillis(300))
                .start();
    }

    private static MetaqClient client(EmbeddedZooKeeper zooKeeper) {
        return MetaqClient.builder()
                .zookeeper(zooKeeper.connectString(), "/meta")
                .build();
    }

    private EmbeddedZooKeeper zooKeeper() throws IOException {
        return EmbeddedZooKeeper.start(
                directory.resolve("zk"), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }
}
