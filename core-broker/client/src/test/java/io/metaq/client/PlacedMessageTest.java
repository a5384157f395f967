package io.metaq.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.client.subscription.SubscriberListener;
import io.metaq.testkit.peer.Answer;
import io.metaq.testkit.peer.PeerConnection;
import io.metaq.testkit.peer.PeerMessage;
import io.metaq.testkit.peer.PeerRequest;
import io.metaq.testkit.peer.ScriptedPeer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that name their partition, to a broker that a subscriber has found: as message APIs send them. */
@Timeout(120)
class PlacedMessageTest {

    private final ScriptedPeer peer = ScriptedPeer.start();
    private final MetaqClient client =
            MetaqClient.builder().servers(peer.address()).build();

    @BeforeEach
    void connect() throws Exception {
        peer.always("version", Answer.version2(7, "append,idempotence,subscription"));
        peer.always("append", Answer.result(200, "1 0 0"));
        peer.always("quit", Answer.close());
        client.subscriber(silent()).ready().get(20, TimeUnit.SECONDS);
    }

    @AfterEach
    void close() {
        client.close();
        peer.close();
    }

    private static SubscriberListener silent() {
        return new SubscriberListener() {
            @Override
            public void interrupted(RuntimeException cause) {}

            @Override
            public void resumed() {}

            @Override
            public void failed(RuntimeException cause) {}
        };
    }

    private static Message message(String topic, int number) {
        return Message.of(topic, String.valueOf(number).getBytes(UTF_8)).to(new TopicPartition(topic, 7, 0));
    }

    @Test
    void shouldNotAskForARouteWhereTheMessageNamesItsPlace() {
        try (Producer producer = client.producer().build()) {
            producer.send(message("temp:never-heard-of", 1));
        }
        assertThat(peer.received())
                .extracting(PeerRequest::verb)
                .doesNotContain("topic", "stats")
                .contains("append");
    }

    @Test
    void shouldMakeABatchAsSafeAsItsMostDemandingMessage() throws Exception {
        CompletableFuture<Runnable> held = new CompletableFuture<>();
        peer.next("append", (request, to) -> held.complete(() -> to.result(200, "1 0 0", request.opaque())));
        List<CompletableFuture<SendResult>> sent = new ArrayList<>();
        try (Producer producer = client.producer()
                .maxInFlightBatches(1)
                .durability(Durability.OS)
                .build()) {
            sent.add(producer.sendAsync(message("q", 0)));
            peer.await("append", 1);
            sent.add(producer.sendAsync(message("q", 1)));
            sent.add(producer.sendAsync(message("q", 2).durability(Durability.DISK)));
            sent.add(producer.sendAsync(message("q", 3).durability(Durability.OS)));
            held.get(20, TimeUnit.SECONDS).run();
            for (CompletableFuture<SendResult> one : sent) {
                one.get(20, TimeUnit.SECONDS);
            }
            producer.send(message("q", 4));
        }
        assertThat(peer.received("append"))
                .extracting(one -> one.option("durability"))
                .containsExactly("os", "disk", "os");
    }

    @Test
    void shouldSayAtOnceThatADestinationIsGone() {
        peer.always("append", Answer.result(500, "Put message failed.Detail:The server do not accept topic temp:gone"));
        try (Producer producer =
                client.producer().timeout(Duration.ofMinutes(5)).build()) {
            assertThatThrownBy(() -> producer.send(message("temp:gone", 1))).isInstanceOf(TopicNotFoundException.class);
        }
        assertThat(peer.received("append")).hasSize(1);
    }

    @Test
    void shouldKeepNothingOfTemporaryDestinations() throws Exception {
        try (BatchingProducer producer = (BatchingProducer) client.producer().build()) {
            List<CompletableFuture<SendResult>> sent = new ArrayList<>();
            for (int i = 0; i < 2_000; i++) {
                sent.add(producer.sendAsync(message("temp:" + i % 500, i)));
            }
            sent.add(producer.sendAsync(message("lasting", 1)));
            for (CompletableFuture<SendResult> one : sent) {
                one.get(20, TimeUnit.SECONDS);
            }
            producer.flush();
            assertThat(producer.queues()).isEqualTo(1);
        }
    }

    /** Refuses, dies before and after storing, as the dice say; recognises what comes again. */
    private static final class UnreliableBroker implements Answer {
        private final Random random;
        private final Map<String, String> answers = new HashMap<>();
        private final Map<String, List<Integer>> stored = new HashMap<>();

        UnreliableBroker(long seed) {
            random = new Random(seed);
        }

        @Override
        public synchronized void give(PeerRequest request, PeerConnection connection) {
            int dice = random.nextInt(12);
            if (dice == 0) {
                connection.result(503, "too much under way", request.opaque());
            } else if (dice == 1) {
                connection.reset();
            } else {
                String answer = answers.computeIfAbsent(
                        request.option("producer") + " " + request.option("seq"), number -> store(request));
                if (dice == 2) {
                    connection.reset();
                } else {
                    connection.result(200, answer, request.opaque());
                }
            }
        }

        private String store(PeerRequest request) {
            List<Integer> log = stored.computeIfAbsent(request.token(1), topic -> new ArrayList<>());
            PeerMessage.read(request.body()).forEach(message -> log.add(Integer.parseInt(message.text())));
            return "1 0 0";
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 7, 20261130})
    void shouldKeepOrderWhateverTheBrokerRefusesAndLoses(long seed) throws Exception {
        UnreliableBroker broker = new UnreliableBroker(seed);
        peer.always("append", broker);
        int count = 300;
        try (Producer producer = client.producer()
                .maxInFlightBatches(1)
                .maxBatchBytes(200)
                .timeout(Duration.ofSeconds(60))
                .build()) {
            List<CompletableFuture<SendResult>> sent = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                sent.add(producer.sendAsync(message("a", i)));
                sent.add(producer.sendAsync(message("b", i)));
            }
            for (CompletableFuture<SendResult> one : sent) {
                one.get(60, TimeUnit.SECONDS);
            }
        }
        List<Integer> all = IntStream.range(0, count).boxed().toList();
        assertThat(broker.stored.get("a")).as("seed %d", seed).isEqualTo(all);
        assertThat(broker.stored.get("b")).as("seed %d", seed).isEqualTo(all);
    }
}
