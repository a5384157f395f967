package io.metaq.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.client.peer.MemoryBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ProducerTest {

    private final List<AutoCloseable> open = new ArrayList<>();
    private MemoryBroker broker;
    private MetaqClient client;

    @BeforeEach
    void start() throws Exception {
        broker = closing(new MemoryBroker(1, true).topic("t", 1));
        client = closing(client(broker));
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

    private static MetaqClient client(MemoryBroker... brokers) {
        List<BrokerAddress> servers = new ArrayList<>();
        for (MemoryBroker broker : brokers) {
            servers.add(BrokerAddress.parse(broker.address()));
        }
        return MetaqClient.builder()
                .servers(servers)
                .requestTimeout(Duration.ofSeconds(2))
                .routeRefresh(Duration.ofMillis(200))
                .build();
    }

    private static Message message(String text) {
        return Message.of("t", text.getBytes(UTF_8));
    }

    private List<String> stored(MetaqClient from) {
        List<String> texts = new ArrayList<>();
        try (TopicBrowser browser = from.browse("t")) {
            browser.forEachRemaining(message -> texts.add(new String(message.data(), UTF_8)));
        }
        return texts;
    }

    @Test
    void shouldTellWhereAMessageIsStored() {
        try (Producer producer = client.producer().build()) {
            SendResult first = producer.send(message("one"));
            SendResult second = producer.send(message("two").attribute("tag").flag(8));

            assertThat(first.partition()).isEqualTo(new TopicPartition("t", 1, 0));
            assertThat(first.offset()).isZero();
            assertThat(second.offset()).isEqualTo(23);
            assertThat(second.messageId()).isEqualTo(first.messageId() + 1);
        }
        try (TopicBrowser browser = client.browse("t")) {
            Message one = browser.next();
            Message two = browser.next();
            assertThat(one.attribute()).isNull();
            assertThat(one.data()).isEqualTo("one".getBytes(UTF_8));
            assertThat(two.attribute()).isEqualTo("tag");
            assertThat(two.flag()).isEqualTo(9);
            assertThat(two.data()).isEqualTo("two".getBytes(UTF_8));
            assertThat(browser.hasNext()).isFalse();
        }
    }

    @Test
    void shouldKeepOrderAndBatchWhatQueues() throws Exception {
        List<CompletableFuture<SendResult>> results = new ArrayList<>();
        try (Producer producer = client.producer().build()) {
            for (int i = 0; i < 10_000; i++) {
                results.add(producer.sendAsync(message("m" + i)));
            }
            producer.flush();
        }
        long before = -1;
        for (CompletableFuture<SendResult> result : results) {
            assertThat(result).isCompleted();
            assertThat(result.get().offset()).isGreaterThan(before);
            before = result.get().offset();
        }
        List<String> texts = stored(client);
        assertThat(texts).hasSize(10_000);
        for (int i = 0; i < texts.size(); i++) {
            assertThat(texts.get(i)).isEqualTo("m" + i);
        }
        assertThat(broker.peer().count("append")).isLessThan(5_000);
    }

    @Test
    void shouldNotStoreTwiceWhenAnswersAreLost() throws Exception {
        try (Producer producer =
                client.producer().timeout(Duration.ofSeconds(20)).build()) {
            producer.send(message("first"));
            broker.dropAfterStore = 3;
            List<CompletableFuture<SendResult>> results = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                results.add(producer.sendAsync(message("m" + i)));
            }
            for (CompletableFuture<SendResult> result : results) {
                result.get(20, TimeUnit.SECONDS);
            }
        }
        List<String> texts = stored(client);
        assertThat(texts).doesNotHaveDuplicates().hasSize(1_001);
        assertThat(texts.subList(1, 1_001))
                .isEqualTo(java.util.stream.IntStream.range(0, 1_000)
                        .mapToObj(i -> "m" + i)
                        .toList());
    }

    /** Each of them fails by itself, the first one first, and goes back to where it was. */
    @Test
    void shouldKeepTheOrderOfBatchesThatAConnectionDidNotTakeAnyMore() throws Exception {
        CountDownLatch written = new CountDownLatch(1);
        broker.dropUnreadAfter = written;
        try (Producer producer = client.producer()
                .timeout(Duration.ofSeconds(20))
                .maxInFlightBytes(256 << 20)
                .build()) {
            List<CompletableFuture<SendResult>> results = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                results.add(producer.sendAsync(Message.of("t", new byte[4 << 20])));
            }
            written.countDown();
            long before = -1;
            for (CompletableFuture<SendResult> result : results) {
                long offset = result.get(20, TimeUnit.SECONDS).offset();
                assertThat(offset).isGreaterThan(before);
                before = offset;
            }
        }
        assertThat(broker.messages("t")).isEqualTo(12);
    }

    @Test
    void shouldSayThatTheOutcomeIsUnknownWithoutIdempotence() {
        try (Producer producer = client.producer().idempotent(false).build()) {
            producer.send(message("first"));
            broker.dropAfterStore = 1;

            assertThatThrownBy(() -> producer.send(message("second")))
                    .isInstanceOfSatisfying(BrokerUnavailableException.class, e -> {
                        assertThat(e.isOutcomeUnknown()).isTrue();
                        assertThat(e.isRetriable()).isTrue();
                        assertThat(e.server()).hasToString(broker.address());
                    });
        }
    }

    @Test
    void shouldSurviveARestartOfTheBroker() throws Exception {
        try (Producer producer =
                client.producer().timeout(Duration.ofSeconds(20)).build()) {
            producer.send(message("one"));
            broker.stop();
            CompletableFuture<SendResult> second = producer.sendAsync(message("two"));
            broker.startAgain();

            assertThat(second.get(20, TimeUnit.SECONDS).offset()).isPositive();
        }
    }

    @Test
    void shouldSayWhichBrokerCannotBeReached() throws Exception {
        try (Producer producer =
                client.producer().timeout(Duration.ofSeconds(3)).build()) {
            producer.send(message("one"));
            broker.stop();

            assertThatThrownBy(() -> producer.send(message("two")))
                    .isInstanceOf(BrokerUnavailableException.class)
                    .hasMessageContaining(broker.address());
        }
    }

    @Test
    void shouldSayWhatToDoAboutAnUnknownTopic() {
        try (Producer producer = client.producer().build()) {
            assertThatThrownBy(() -> producer.send(Message.of("missing", new byte[1])))
                    .isInstanceOf(TopicNotFoundException.class)
                    .hasMessageContaining("topic missing is not published by any broker")
                    .hasMessageContaining("metaq topic create missing");
        }
    }

    @Test
    void shouldSendElsewhereWhileABrokerIsDownAndComeBackToIt() throws Exception {
        MemoryBroker other = closing(new MemoryBroker(2, true).topic("t", 1));
        MetaqClient both = closing(client(broker, other));
        try (Producer producer = both.producer().timeout(Duration.ofSeconds(20)).build()) {
            for (int i = 0; i < 10; i++) {
                producer.send(message("a" + i));
            }
            assertThat(broker.messages("t")).isEqualTo(5);
            broker.stop();
            int failed = 0;
            for (int i = 0; i < 20; i++) {
                failed += sendOrOutcomeUnknown(producer);
            }
            // Only what was written before the end of the connection was seen can be in doubt.
            assertThat(failed).isLessThanOrEqualTo(1);
            assertThat(other.messages("t")).isEqualTo(25 - failed);
            broker.startAgain();
            long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
            while (broker.messages("t") == 5 && System.nanoTime() < deadline) {
                producer.send(message("c"));
            }
            assertThat(broker.messages("t")).isGreaterThan(5);
        }
    }

    private static int sendOrOutcomeUnknown(Producer producer) {
        try {
            producer.send(message("b"));
            return 0;
        } catch (MetaqException e) {
            assertThat(e.isOutcomeUnknown()).isTrue();
            return 1;
        }
    }

    @Test
    void shouldSendElsewhereWhenABrokerRefuses() throws Exception {
        MemoryBroker other = closing(new MemoryBroker(2, true).topic("t", 1));
        MetaqClient both = closing(client(broker, other));
        broker.refuse = 503;
        try (Producer producer = both.producer().build()) {
            for (int i = 0; i < 20; i++) {
                assertThat(producer.send(message("m" + i)).partition().broker()).isEqualTo(2);
            }
        }
        assertThat(other.messages("t")).isEqualTo(20);
    }

    @Test
    void shouldFailAtOnceWhenTheOnlyBrokerIsFull() {
        broker.refuse = 507;
        try (Producer producer =
                client.producer().timeout(Duration.ofSeconds(30)).build()) {
            assertThatThrownBy(() -> producer.send(message("x")))
                    .isInstanceOfSatisfying(BrokerBusyException.class, e -> {
                        assertThat(e.code()).isEqualTo(507);
                        assertThat(e.isRetriable()).isTrue();
                        assertThat(e.partition()).isEqualTo(new TopicPartition("t", 1, 0));
                    });
            broker.refuse = 0;
            producer.send(message("y"));
        }
    }

    @Test
    void shouldTryAgainWhileTheOnlyBrokerIsBusy() throws Exception {
        broker.refuse = 503;
        try (Producer producer =
                client.producer().timeout(Duration.ofSeconds(20)).build()) {
            CompletableFuture<SendResult> result = producer.sendAsync(message("x"));
            while (broker.peer().count("append") < 2) {
                Thread.onSpinWait();
            }
            broker.refuse = 0;
            assertThat(result.get(20, TimeUnit.SECONDS).offset()).isZero();
        }
    }

    @Test
    void shouldHoldASenderBackAtTheLimit() throws Exception {
        broker.frozen = false;
        try (Producer producer = client.producer()
                .maxInFlightBytes(10_000)
                .failFast(true)
                .timeout(Duration.ofSeconds(3))
                .build()) {
            producer.send(message("one"));
            broker.frozen = true;
            List<CompletableFuture<SendResult>> results = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                results.add(producer.sendAsync(Message.of("t", new byte[1000])));
            }
            assertThatThrownBy(() -> results.get(19).get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(BrokerBusyException.class);
            assertThatThrownBy(() -> results.get(0).get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(RequestTimeoutException.class);
        }
    }

    @Test
    void shouldSendOneByOneToAnOldBroker() throws Exception {
        MemoryBroker old = closing(new MemoryBroker(7, false).topic("t", 2));
        MetaqClient oldClient = closing(client(old));
        try (Producer producer = oldClient.producer().build()) {
            List<CompletableFuture<SendResult>> results = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                results.add(producer.sendAsync(message("m" + i).attribute("a")));
            }
            for (CompletableFuture<SendResult> result : results) {
                assertThat(result.get(10, TimeUnit.SECONDS).partition().broker())
                        .isEqualTo(7);
            }
        }
        assertThat(old.peer().count("append")).isZero();
        assertThat(old.messages("t", 0)).isEqualTo(50);
        assertThat(old.messages("t", 1)).isEqualTo(50);
        assertThat(stored(oldClient).subList(0, 50))
                .isEqualTo(java.util.stream.IntStream.range(0, 50)
                        .mapToObj(i -> "m" + 2 * i)
                        .toList());
    }

    @Test
    void shouldSendFromACallback() throws Exception {
        CompletableFuture<SendResult> second = new CompletableFuture<>();
        try (Producer producer = client.producer().build()) {
            producer.send(
                    message("one"), (result, failure) -> producer.send(message("two"), (r, f) -> second.complete(r)));
            assertThat(second.get(10, TimeUnit.SECONDS)).isNotNull();
        }
    }

    @Test
    void shouldCloseFromACallback() throws Exception {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        Producer producer = client.producer().build();
        producer.send(message("one"), (result, failure) -> {
            client.close();
            done.complete(true);
        });
        assertThat(done.get(10, TimeUnit.SECONDS)).isTrue();
        assertThatThrownBy(() -> producer.sendAsync(message("two"))).isInstanceOf(ClientClosedException.class);
    }

    @Test
    void shouldCountOneWayFailures() {
        broker.refuse = 507;
        try (Producer producer = client.producer().build()) {
            producer.sendOneWay(message("x"));
            producer.flush();
            assertThat(producer.oneWayFailures()).isEqualTo(1);
        }
    }
}
