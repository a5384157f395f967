package io.metaq.tck.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.metaq.client.Admin.PartitionRange;
import io.metaq.client.Admin.TopicUse;
import io.metaq.client.Consumer;
import io.metaq.client.Durability;
import io.metaq.client.FetchedBatch;
import io.metaq.client.ForbiddenException;
import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.client.Producer;
import io.metaq.client.Puller;
import io.metaq.client.SendResult;
import io.metaq.client.Start;
import io.metaq.client.TopicBrowser;
import io.metaq.client.TopicNotFoundException;
import io.metaq.client.TopicPartition;
import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.BrokerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClientWithBrokerTest {

    @TempDir
    static Path directory;

    private static BrokerProcess broker;
    private static MetaqClient client;

    @BeforeAll
    static void start() {
        broker = BrokerProcess.start(BrokerFiles.in(directory));
        client = client();
    }

    @AfterAll
    static void stop() {
        client.close();
        broker.close();
    }

    private static MetaqClient client() {
        return MetaqClient.builder()
                .servers("127.0.0.1:" + broker.port())
                .routeRefresh(Duration.ofMillis(200))
                .build();
    }

    private static Message message(String topic, int number) {
        return Message.of(topic, ("m" + number).getBytes(UTF_8));
    }

    private static List<String> names(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "m" + i).toList();
    }

    private static String text(Message message) {
        return new String(message.data(), UTF_8);
    }

    private static void create(String topic, int partitions) {
        client.admin().createTopic(topic, partitions, Map.of());
    }

    @Test
    void shouldStoreBatchesInOrderAndGiveThemBack() throws Exception {
        create("order", 1);
        List<CompletableFuture<SendResult>> results = new ArrayList<>();
        try (Producer producer = client.producer().build()) {
            for (int i = 0; i < 20_000; i++) {
                results.add(producer.sendAsync(message("order", i)));
            }
            for (CompletableFuture<SendResult> result : results) {
                result.get(30, TimeUnit.SECONDS);
            }
        }
        List<String> browsed = new ArrayList<>();
        try (TopicBrowser browser = client.browse("order")) {
            browser.forEachRemaining(message -> browsed.add(text(message)));
        }
        assertThat(browsed).isEqualTo(names(0, 20_000));
        assertThat(results.get(19_999).get().messageId())
                .isGreaterThan(results.get(0).get().messageId());
    }

    @Test
    void shouldKeepAttributesFlagsAndLargeMessages() {
        create("kinds", 2);
        byte[] large = new byte[1_500_000];
        large[1_499_999] = 7;
        try (Producer producer = client.producer().durability(Durability.DISK).build()) {
            SendResult first = producer.send(Message.of("kinds", "a".getBytes(UTF_8))
                    .attribute("größer")
                    .flag(2)
                    .to(new TopicPartition("kinds", 0, 1)));
            SendResult second = producer.send(Message.of("kinds", large).to(new TopicPartition("kinds", 0, 1)));
            assertThat(first.partition()).isEqualTo(new TopicPartition("kinds", 0, 1));
            assertThat(second.offset()).isGreaterThan(first.offset());
        }
        try (Puller puller = client.puller("kinds", 1);
                FetchedBatch one = puller.fetch(0, 50, Duration.ZERO);
                FetchedBatch two = puller.fetch(one.nextOffset(), 4096, Duration.ZERO)) {
            Message small = one.iterator().next();
            assertThat(small.attribute()).isEqualTo("größer");
            assertThat(small.flag()).isEqualTo(3);
            assertThat(two.iterator().next().data()).isEqualTo(large);
        }
    }

    @Test
    void shouldShareAGroupAndKeepItsOffsets() {
        create("shared", 4);
        List<String> got = new CopyOnWriteArrayList<>();
        try (Producer producer = client.producer().build();
                MetaqClient other = client()) {
            Consumer first = client.consumer("sharers")
                    .commitInterval(Duration.ofMillis(50))
                    .subscribe("shared", message -> got.add(text(message)))
                    .start();
            Consumer second = other.consumer("sharers")
                    .commitInterval(Duration.ofMillis(50))
                    .subscribe("shared", message -> got.add(text(message)))
                    .start();
            await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                assertThat(first.assignment()).hasSize(2);
                assertThat(second.assignment()).hasSize(2);
            });
            for (int i = 0; i < 1000; i++) {
                producer.sendOneWay(message("shared", i));
            }
            await().atMost(Duration.ofSeconds(30)).until(() -> got.size() >= 1000);
            second.close();
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> first.assignment().size() == 4);
            for (int i = 1000; i < 2000; i++) {
                producer.sendOneWay(message("shared", i));
            }
            await().atMost(Duration.ofSeconds(30)).until(() -> got.size() >= 2000);
            assertThat(got).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(names(0, 2000));
            first.close();
        }
        assertThat(client.admin().groupOffsets("sharers", "shared"))
                .hasSize(4)
                .allSatisfy(offset -> assertThat(offset.stored().offset()).isPositive());
        assertThat(client.admin().listGroups()).contains("sharers");
    }

    @Test
    void shouldStartAtEveryKindOfPlace() {
        create("places", 1);
        TopicPartition partition = new TopicPartition("places", 0, 0);
        long middle;
        try (Producer producer = client.producer().build()) {
            producer.send(message("places", 0));
            await().pollDelay(Duration.ofMillis(50)).until(() -> true);
            middle = System.currentTimeMillis();
            await().pollDelay(Duration.ofMillis(50)).until(() -> true);
            producer.send(message("places", 1));
        }
        try (Puller puller = client.puller(partition)) {
            assertThat(puller.offsetOf(Start.first())).isZero();
            assertThat(puller.offsetOf(Start.last())).isEqualTo(44);
            assertThat(puller.offsetOf(Start.time(middle))).isEqualTo(22);
            assertThat(puller.offsetOf(Start.offset(22))).isEqualTo(22);
        }
    }

    @Test
    void shouldWaitAtTheEndWithoutPolling() throws Exception {
        create("quiet", 1);
        try (Producer producer = client.producer().build();
                Puller puller = client.puller("quiet", 0)) {
            CompletableFuture<Integer> counted = CompletableFuture.supplyAsync(() -> {
                try (FetchedBatch batch = puller.fetch(0, 1000, Duration.ofSeconds(20))) {
                    return batch.count();
                }
            });
            producer.send(message("quiet", 0));
            assertThat(counted.get(15, TimeUnit.SECONDS)).isEqualTo(1);
        }
    }

    @Test
    void shouldAdministerTopics() {
        create("admin", 2);
        assertThat(client.admin().listTopics("adm*")).hasSize(1).first().satisfies(topic -> {
            assertThat(topic.name()).isEqualTo("admin");
            assertThat(topic.partitions()).isEqualTo(2);
        });
        client.admin().alterTopic("admin", Map.of("partitions", "3"));
        assertThat(client.admin().describeTopic("admin").get(0).partitions()).hasSize(3);
        assertThat(client.partitions("admin")).hasSize(3);

        client.admin().closeTopic("admin", new PartitionRange(0, 2), TopicUse.PUBLISH);
        assertThat(client.availablePartitions("admin")).isEmpty();
        try (Producer producer = client.producer().build()) {
            assertThatThrownBy(() -> producer.send(message("admin", 0)))
                    .isInstanceOf(ForbiddenException.class)
                    .hasMessageContaining("127.0.0.1:" + broker.port());
            client.admin().openTopic("admin", PartitionRange.ALL, TopicUse.BOTH);
            producer.send(message("admin", 0));
        }
        client.admin().deleteTopic("admin");
        assertThatThrownBy(() -> client.admin().describeTopic("admin")).isInstanceOf(TopicNotFoundException.class);
    }

    @Test
    void shouldMoveAGroup() {
        create("moved", 1);
        TopicPartition partition = new TopicPartition("moved", 0, 0);
        try (Producer producer = client.producer().build()) {
            for (int i = 0; i < 10; i++) {
                producer.send(message("moved", i));
            }
        }
        client.admin().resetGroup("movers", "moved", TopicPartition.ANY, "last");
        assertThat(client.admin()
                        .groupOffsets("movers", "moved")
                        .get(0)
                        .stored()
                        .offset())
                .isEqualTo(220);
        client.admin().resetGroup("movers", "moved", 0, "44");
        List<String> got = new CopyOnWriteArrayList<>();
        try (Consumer consumer = client.consumer("movers")
                .subscribe("moved", message -> got.add(text(message)))
                .start()) {
            await().atMost(Duration.ofSeconds(20)).until(() -> got.size() >= 8);
            assertThat(got).isEqualTo(names(2, 10));
            assertThat(consumer.assignment()).containsExactly(partition);
        }
        client.admin().deleteGroup("movers");
        assertThat(client.admin().listGroups()).doesNotContain("movers");
    }

    @Test
    void shouldTellStatistics() {
        create("figures", 1);
        Map<String, String> stats = client.stats("").values().iterator().next();
        assertThat(stats).containsKeys("pid", "broker_id", "uptime");
        assertThat(client.stats("topics").values().iterator().next()).containsKey("figures");
    }
}
