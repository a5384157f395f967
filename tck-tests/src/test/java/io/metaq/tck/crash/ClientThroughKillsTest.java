package io.metaq.tck.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.client.SendResult;
import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.BrokerProcess;
import io.metaq.tck.harness.Ledger;
import io.metaq.tck.harness.LogReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Our client sends and consumes while the broker is killed: every send succeeds once, every message is consumed. */
class ClientThroughKillsTest {
    private static final int ROUNDS = Integer.getInteger("tck.kill9.rounds", 4);
    private static final int MESSAGES_PER_ROUND = 2000;

    @TempDir
    Path directory;

    private final Ledger ledger = new Ledger();
    private final List<CompletableFuture<SendResult>> sends = new ArrayList<>();
    private final Set<String> consumed = ConcurrentHashMap.newKeySet();

    @Test
    void shouldSendOnceAndConsumeAllThroughKills() throws IOException {
        var random = new Random(Long.getLong("tck.seed", System.nanoTime()));
        var files = BrokerFiles.in(directory).osTopic("load", 2);
        var broker = BrokerProcess.start(files);
        try (var client = MetaqClient.builder()
                        .servers("127.0.0.1:" + files.port())
                        .build();
                var producer = client.producer().timeout(Duration.ofSeconds(60)).build();
                var consumer = client.consumer("group")
                        .subscribe("load", message -> consumed.add(new String(message.data(), StandardCharsets.UTF_8)))
                        .start()) {
            for (int round = 0; round < ROUNDS; round++) {
                for (int i = 0; i < MESSAGES_PER_ROUND; i++) {
                    send(producer, sends.size());
                }
                int wanted = sends.size() - random.nextInt(MESSAGES_PER_ROUND);
                await().atMost(Duration.ofSeconds(30))
                        .pollInterval(Duration.ofMillis(1))
                        .until(() -> ledger.acknowledgedCount() >= wanted);
                broker.kill9();
                broker = BrokerProcess.start(files);
            }
            sends.forEach(send -> assertThat(send).succeedsWithin(Duration.ofSeconds(60)));
            var received = LogReader.readAll(files.port(), "load", 2);
            assertThat(ledger.faults(received)).isEmpty();
            assertThat(received).hasSize(sends.size());
            await().atMost(Duration.ofSeconds(30)).until(() -> consumed.size() == sends.size());
            System.out.printf(
                    "%d kills: %d messages sent by the client, all stored once and consumed%n", ROUNDS, sends.size());
        } finally {
            broker.close();
        }
    }

    private void send(io.metaq.client.Producer producer, long number) {
        ledger.attempted("client", number);
        sends.add(producer.sendAsync(Message.of("load", Ledger.body("client", number, 100)))
                .whenComplete((result, failure) -> {
                    if (failure == null) {
                        ledger.acknowledged("client", number, result.partition().partition(), result.offset());
                    }
                }));
    }
}
