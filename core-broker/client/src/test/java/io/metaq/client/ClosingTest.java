package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.metaq.client.peer.MemoryBroker;
import io.metaq.client.peer.Peer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Closing is prompt and final, whatever brokers and listeners do. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClosingTest {

    private static final Duration LIMIT = Duration.ofSeconds(10);

    private static MetaqClient client(String address) {
        return MetaqClient.builder()
                .servers(address)
                .requestTimeout(Duration.ofSeconds(5))
                .build();
    }

    private static void assertClosesPromptly(AutoCloseable one) throws Exception {
        long start = System.nanoTime();
        one.close();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LIMIT);
    }

    private static void assertNoThreadLeft() {
        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .noneMatch(
                                thread -> thread.isAlive() && thread.getName().startsWith("metaq-")));
    }

    @Test
    void shouldCloseWhileABrokerNeverAnswers() throws Exception {
        try (Peer silent = new Peer((frame, session) -> {})) {
            MetaqClient client = client(silent.address());
            Producer producer = client.producer().build();
            ExecutorService callers = Executors.newFixedThreadPool(3);
            callers.submit(() -> producer.sendAsync(Message.of("t", new byte[10])));
            callers.submit(
                    () -> client.consumer("g").subscribe("t", message -> {}).start());
            callers.submit(() -> client.stats(""));
            await().until(() -> silent.count("version") > 0);

            assertClosesPromptly(client);
            callers.shutdownNow();
            assertThat(callers.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
            assertNoThreadLeft();
        }
    }

    @Test
    void shouldCloseEverythingWhenTheBrokerFreezes() throws Exception {
        try (MemoryBroker broker = new MemoryBroker(1, true).topic("t", 2)) {
            MetaqClient client = client(broker.address());
            Producer producer = client.producer().build();
            Consumer consumer =
                    client.consumer("g").subscribe("t", message -> {}).start();
            producer.send(Message.of("t", new byte[10]));
            await().until(() -> consumer.assignment().size() == 2);
            broker.frozen = true;
            CompletableFuture<SendResult> pending = producer.sendAsync(Message.of("t", new byte[10]));

            assertClosesPromptly(client);
            assertThatThrownBy(() -> pending.get(1, TimeUnit.SECONDS)).hasCauseInstanceOf(MetaqException.class);
            assertNoThreadLeft();
        }
    }

    @Test
    void shouldCloseWhenTheBrokerIsGone() throws Exception {
        MemoryBroker broker = new MemoryBroker(1, true).topic("t", 1);
        MetaqClient client = client(broker.address());
        Consumer consumer = client.consumer("g").subscribe("t", message -> {}).start();
        Producer producer = client.producer().build();
        producer.send(Message.of("t", new byte[10]));
        broker.close();

        assertClosesPromptly(producer);
        assertClosesPromptly(consumer);
        assertClosesPromptly(client);
        assertNoThreadLeft();
    }

    @Test
    void shouldCloseFromAListener() throws Exception {
        try (MemoryBroker broker = new MemoryBroker(1, true).topic("t", 1)) {
            broker.store("t", 0, new byte[10]);
            MetaqClient client = client(broker.address());
            CompletableFuture<Duration> took = new CompletableFuture<>();
            client.consumer("g")
                    .subscribe("t", message -> {
                        long start = System.nanoTime();
                        client.close();
                        took.complete(Duration.ofNanos(System.nanoTime() - start));
                    })
                    .start();

            assertThat(took.get(20, TimeUnit.SECONDS)).isLessThan(LIMIT);
            assertNoThreadLeft();
        }
    }

    @Test
    void shouldCloseWhileAListenerHangs() throws Exception {
        try (MemoryBroker broker = new MemoryBroker(1, true).topic("t", 1)) {
            broker.store("t", 0, new byte[10]);
            MetaqClient client = client(broker.address());
            CountDownLatch inside = new CountDownLatch(1);
            Consumer consumer = client.consumer("g")
                    .subscribe("t", message -> {
                        inside.countDown();
                        new CountDownLatch(1).await();
                    })
                    .start();
            inside.await();

            assertClosesPromptly(consumer);
            client.close();
            assertNoThreadLeft();
            assertThat(broker.offset("g", "t", 0)).isLessThanOrEqualTo(0);
        }
    }

    @Test
    void shouldRefuseCallsAfterwards() throws Exception {
        try (MemoryBroker broker = new MemoryBroker(1, true).topic("t", 1)) {
            MetaqClient client = client(broker.address());
            Puller puller = client.puller("t", 0);
            client.close();
            client.close();

            assertThatThrownBy(() -> client.partitions("t")).isInstanceOf(ClientClosedException.class);
            assertThatThrownBy(() -> client.producer().build()).isInstanceOf(ClientClosedException.class);
            assertThatThrownBy(() -> puller.fetch(0, 100, Duration.ZERO)).isInstanceOf(ClientClosedException.class);
            assertThat(List.of(client)).isNotEmpty();
        }
    }
}
