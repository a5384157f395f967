package io.metaq.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.metaq.client.peer.MemoryBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConsumerTest {

    private final List<AutoCloseable> open = new ArrayList<>();
    private final List<String> got = new CopyOnWriteArrayList<>();
    private MemoryBroker broker;
    private MetaqClient client;

    @TempDir
    Path directory;

    @BeforeEach
    void start() throws Exception {
        broker = closing(new MemoryBroker(1, true).topic("t", 1).topic("wide", 4));
        client = closing(client());
    }

    @AfterEach
    void stop() throws Exception {
        Collections.reverse(open);
        for (AutoCloseable one : open) {
            one.close();
        }
    }

    private <T extends AutoCloseable> T closing(T one) {
        open.add(one);
        return one;
    }

    private MetaqClient client() {
        return MetaqClient.builder()
                .servers(broker.address())
                .requestTimeout(Duration.ofSeconds(2))
                .routeRefresh(Duration.ofMillis(200))
                .build();
    }

    private ConsumerBuilder consumer() {
        return client.consumer("g")
                .commitInterval(Duration.ofMillis(50))
                .retryDelay(Duration.ofMillis(5), Duration.ofMillis(20));
    }

    private void store(int count) {
        for (int i = 0; i < count; i++) {
            broker.store("t", 0, ("m" + i).getBytes(UTF_8));
        }
    }

    private static List<String> names(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "m" + i).toList();
    }

    private void collect(Message message) {
        got.add(new String(message.data(), UTF_8));
    }

    private void awaitGot(int count) {
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(got).hasSizeGreaterThanOrEqualTo(count));
    }

    @Test
    void shouldDeliverInOrderOnTheConsumersThreadAndStoreTheOffset() {
        store(1000);
        Set<String> threads = ConcurrentHashMap.newKeySet();
        closing(consumer()
                .subscribe("t", message -> {
                    threads.add(Thread.currentThread().getName());
                    collect(message);
                })
                .fetchSize(2000)
                .start());
        awaitGot(1000);
        assertThat(got).isEqualTo(names(0, 1000));
        assertThat(threads).containsExactly("metaq-consumer-g");
        long end = broker.offset("g", "t", 0);
        await().untilAsserted(() -> assertThat(broker.offset("g", "t", 0)).isGreaterThanOrEqualTo(end));
    }

    @Test
    void shouldGoOnWhereTheGroupStopped() {
        store(10);
        Consumer first = consumer().subscribe("t", this::collect).start();
        awaitGot(10);
        first.close();
        for (int i = 10; i < 20; i++) {
            broker.store("t", 0, ("m" + i).getBytes(UTF_8));
        }
        closing(consumer().subscribe("t", this::collect).start());
        awaitGot(20);
        assertThat(got).isEqualTo(names(0, 20));
    }

    @Test
    void shouldReceiveWhatIsStoredWhileItWaits() {
        closing(consumer().subscribe("t", this::collect).start());
        await().until(() -> broker.peer().count("get") > 0);
        store(5);
        awaitGot(5);
        assertThat(got).isEqualTo(names(0, 5));
    }

    @Test
    void shouldOnlyGetNewMessagesOnTheFirstConnect() {
        store(10);
        Consumer consumer =
                consumer().startAt(Start.last()).subscribe("t", this::collect).start();
        await().until(() -> broker.offset("g", "t", 0) > 0);
        consumer.close();
        for (int i = 10; i < 15; i++) {
            broker.store("t", 0, ("m" + i).getBytes(UTF_8));
        }
        closing(consumer().startAt(Start.last()).subscribe("t", this::collect).start());
        awaitGot(5);
        assertThat(got).isEqualTo(names(10, 15));
    }

    @Test
    void shouldOnlyGetNewMessagesAtEveryStart() {
        store(10);
        Consumer first = consumer().subscribe("t", this::collect).start();
        awaitGot(10);
        first.close();
        broker.store("t", 0, "missed".getBytes(UTF_8));
        Consumer second = closing(consumer()
                .startAlwaysAt(Start.last())
                .subscribe("t", this::collect)
                .start());
        await().until(() -> !second.positions().isEmpty());
        broker.store("t", 0, "new".getBytes(UTF_8));
        awaitGot(11);
        assertThat(got.subList(10, 11)).containsExactly("new");
    }

    @Test
    void shouldTryAgainThenLetTheHandlerDecide() {
        store(3);
        AtomicInteger tries = new AtomicInteger();
        List<String> rejected = new CopyOnWriteArrayList<>();
        closing(consumer()
                .maxRetries(2)
                .rejectHandler(
                        (group, message, cause) -> rejected.add(new String(message.data(), UTF_8) + cause.getMessage()))
                .subscribe("t", message -> {
                    if (new String(message.data(), UTF_8).equals("m1")) {
                        tries.incrementAndGet();
                        throw new IllegalStateException("no");
                    }
                    collect(message);
                })
                .start());
        awaitGot(2);
        assertThat(got).containsExactly("m0", "m2");
        assertThat(tries).hasValue(3);
        assertThat(rejected).containsExactly("m1no");
    }

    @Test
    void shouldDeliverAgainWhatIsMarkedForRollback() {
        store(3);
        AtomicInteger tries = new AtomicInteger();
        closing(consumer()
                .subscribe("t", message -> {
                    collect(message);
                    if (new String(message.data(), UTF_8).equals("m1") && tries.incrementAndGet() < 3) {
                        message.markRollback();
                    }
                })
                .start());
        awaitGot(5);
        assertThat(got).containsExactly("m0", "m1", "m1", "m1", "m2");
    }

    @Test
    void shouldSendRejectedMessagesToADeadLetterTopic() {
        broker.topic("dead", 1);
        store(1);
        Producer producer = closing(client.producer().build());
        closing(consumer()
                .maxRetries(0)
                .rejectHandler(RejectHandler.deadLetter(producer, "dead"))
                .subscribe("t", message -> {
                    throw new IllegalStateException("no");
                })
                .start());
        await().atMost(Duration.ofSeconds(20)).until(() -> broker.messages("dead") == 1);
    }

    @Test
    void shouldKeepRejectedMessagesLocally() throws Exception {
        store(1);
        closing(consumer()
                .maxRetries(0)
                .rejectHandler(RejectHandler.keepIn(directory))
                .subscribe("t", Message::markRollback)
                .start());
        Path file = directory.resolve("g").resolve("t-1-0.rejected");
        await().atMost(Duration.ofSeconds(20)).until(() -> file.toFile().length() == 22);
    }

    @Test
    void shouldRunInParallelAndAcknowledgeInOrder() throws Exception {
        store(10);
        ExecutorService executor = Executors.newFixedThreadPool(4);
        CountDownLatch firstMayEnd = new CountDownLatch(1);
        Consumer consumer = closing(consumer()
                .executor(executor)
                .subscribe("t", message -> {
                    if (message.offset() == 0) {
                        firstMayEnd.await();
                    }
                    collect(message);
                })
                .start());
        awaitGot(9);
        assertThat(got).doesNotContain("m0");
        assertThat(consumer.positions()).containsEntry(new TopicPartition("t", 1, 0), 0L);
        firstMayEnd.countDown();
        awaitGot(10);
        await().untilAsserted(
                        () -> assertThat(consumer.positions()).containsEntry(new TopicPartition("t", 1, 0), 220L));
        executor.shutdown();
    }

    @Test
    void shouldLendPayloadsUntilTheListenerReturns() {
        store(3);
        List<String> seen = new CopyOnWriteArrayList<>();
        List<Message> kept = new CopyOnWriteArrayList<>();
        AtomicInteger failures = new AtomicInteger();
        closing(consumer()
                .borrowPayloads()
                .subscribe("t", message -> {
                    kept.add(message);
                    if (seen.size() == 1 && failures.getAndIncrement() < 2) {
                        throw new IllegalStateException("once more");
                    }
                    seen.add(UTF_8.decode(message.buffer()).toString());
                })
                .start());
        await().untilAsserted(() -> assertThat(seen).containsExactlyElementsOf(names(0, 3)));
        await().untilAsserted(() -> assertThatThrownBy(() -> kept.get(0).data()).isInstanceOf(MetaqException.class));
    }

    @Test
    void shouldNotLendPayloadsToAnExecutor() {
        ConsumerBuilder contradiction =
                consumer().borrowPayloads().executor(Runnable::run).subscribe("t", message -> {});
        assertThatThrownBy(contradiction::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("executor");
    }

    @Test
    void shouldPauseAndResume() {
        store(5);
        Consumer consumer = closing(consumer().subscribe("t", this::collect).start());
        awaitGot(5);
        consumer.pause("t", 0);
        int gets = (int) broker.peer().count("get");
        broker.store("t", 0, "m5".getBytes(UTF_8));
        broker.store("t", 0, "m6".getBytes(UTF_8));
        await().pollDelay(Duration.ofMillis(200)).until(() -> got.size() == 5);
        assertThat(broker.peer().count("get")).isLessThanOrEqualTo(gets + 2);
        consumer.resume("t", 0);
        awaitGot(7);
        assertThat(got).isEqualTo(names(0, 7));
    }

    @Test
    void shouldShareAGroupWithoutDeliveringTwice() {
        for (int i = 0; i < 400; i++) {
            broker.store("wide", i % 4, ("m" + i).getBytes(UTF_8));
        }
        Consumer first = closing(consumer().subscribe("wide", this::collect).start());
        await().until(() -> first.assignment().size() == 4);
        MetaqClient other = closing(client());
        Consumer second = closing(other.consumer("g")
                .commitInterval(Duration.ofMillis(50))
                .subscribe("wide", this::collect)
                .start());
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            assertThat(first.assignment()).hasSize(2);
            assertThat(second.assignment()).hasSize(2);
        });
        for (int i = 400; i < 800; i++) {
            broker.store("wide", i % 4, ("m" + i).getBytes(UTF_8));
        }
        awaitGot(800);
        assertThat(got).hasSize(800).doesNotHaveDuplicates();
        first.close();
        await().atMost(Duration.ofSeconds(20)).until(() -> second.assignment().size() == 4);
    }

    @Test
    void shouldTakeUpAgainAfterTheConnectionBroke() throws Exception {
        store(5);
        Consumer consumer = closing(consumer().subscribe("t", this::collect).start());
        awaitGot(5);
        await().until(() -> broker.offset("g", "t", 0) == 5 * 22);
        broker.stop();
        await().until(() -> consumer.assignment().isEmpty());
        broker.startAgain();
        broker.store("t", 0, "m5".getBytes(UTF_8));
        awaitGot(6);
        assertThat(got).isEqualTo(names(0, 6));
    }

    @Test
    void shouldGiveEveryBroadcastInstanceEveryMessage() {
        store(5);
        List<String> other = new CopyOnWriteArrayList<>();
        closing(consumer()
                .broadcast(directory.resolve("a"))
                .subscribe("t", this::collect)
                .start());
        closing(consumer()
                .broadcast(directory.resolve("b"))
                .subscribe("t", message -> other.add(new String(message.data(), UTF_8)))
                .start());
        awaitGot(5);
        await().until(() -> other.size() == 5);
        await().until(() -> directory.resolve("a/g.offsets").toFile().exists());
    }

    @Test
    void shouldReadMessagesBiggerThanTheFetch() {
        broker.store("t", 0, new byte[100_000]);
        broker.store("t", 0, "after".getBytes(UTF_8));
        closing(consumer()
                .fetchSize(1000)
                .subscribe("t", message -> got.add("" + message.size()))
                .start());
        awaitGot(2);
        assertThat(got).containsExactly("100000", "5");
    }

    @Test
    void shouldPutTogetherAMessageBiggerThanTheBrokersSlices() {
        broker.maxTransfer = 10_000;
        broker.store("t", 0, new byte[100_000]);
        broker.store("t", 0, "after".getBytes(UTF_8));
        closing(consumer()
                .fetchSize(20_000)
                .subscribe("t", message -> got.add("" + message.size()))
                .start());
        awaitGot(2);
        assertThat(got).containsExactly("100000", "5");
    }

    @Test
    void shouldPassOverADamagedBody() {
        store(5);
        broker.damage("t", 0, 2 * 22 + 20);
        closing(consumer().subscribe("t", this::collect).start());
        awaitGot(4);
        assertThat(got).containsExactly("m0", "m1", "m3", "m4");
    }

    @Test
    void shouldPassOverADamagedHeader() {
        store(5);
        broker.damage("t", 0, 2 * 22);
        closing(consumer().subscribe("t", this::collect).start());
        awaitGot(4);
        assertThat(got).containsExactly("m0", "m1", "m3", "m4");
    }

    @Test
    void shouldReportDamageToAPuller() {
        store(3);
        broker.damage("t", 0, 22 + 20);
        try (Puller puller = client.puller("t", 0);
                FetchedBatch good = puller.fetch(0, 1000, Duration.ZERO)) {
            assertThat(good.count()).isEqualTo(1);
            assertThatThrownBy(() -> puller.fetch(good.nextOffset(), 1000, Duration.ZERO))
                    .isInstanceOfSatisfying(CorruptMessageException.class, e -> {
                        assertThat(e.offset()).isEqualTo(22);
                        assertThat(e.nextOffset()).isEqualTo(44);
                    });
        }
    }

    @Test
    void shouldPullWithPrefetch() {
        store(1000);
        long offset = 0;
        try (Puller puller = client.puller("t", 0)) {
            while (true) {
                try (FetchedBatch batch = puller.fetch(offset, 1000, Duration.ZERO)) {
                    if (batch.isEmpty()) {
                        break;
                    }
                    batch.forEach(this::collect);
                    offset = batch.nextOffset();
                }
            }
        }
        assertThat(got).isEqualTo(names(0, 1000));
    }

    @Test
    void shouldRefuseAGroupAtAnOldBroker() throws Exception {
        MemoryBroker old = closing(new MemoryBroker(7, false).topic("t", 1));
        old.store("t", 0, "m0".getBytes(UTF_8));
        MetaqClient oldClient =
                closing(MetaqClient.builder().servers(old.address()).build());
        assertThatThrownBy(() ->
                        oldClient.consumer("g").subscribe("t", this::collect).start())
                .isInstanceOf(UnsupportedByBrokerException.class);
        closing(oldClient
                .consumer("g")
                .balanced(false)
                .offsetStore(OffsetStore.file(directory))
                .subscribe("t", this::collect)
                .start());
        awaitGot(1);
    }
}
