package io.metaq.tck.languages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.BrokerProcess;
import io.metaq.tck.harness.Ledger;
import io.metaq.tck.harness.LogReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Applications in other languages send and consume while the broker is killed: every send succeeds once and in its order, and a group
 * of two consumes every message.
 */
class LanguagesKillTest {
    private static final int ROUNDS = Integer.getInteger("tck.languages.rounds", 2);
    private static final int MESSAGES_PER_ROUND = 1500;
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    @TempDir
    Path directory;

    private final Ledger ledger = new Ledger();

    static Stream<Language> installed() {
        return Arrays.stream(Language.values()).filter(language -> {
            if (!language.isInstalled()) {
                System.out.println("no kills under load by " + language + ": " + language.absence());
            }
            return language.isInstalled();
        });
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("installed")
    void shouldSendOnceAndConsumeAllThroughKills(Language language) throws Exception {
        Random random = new Random(Long.getLong("tck.seed", System.nanoTime()));
        BrokerFiles files = BrokerFiles.in(directory).osTopic("load", 2).set("groupSessionTimeout", 6_000);
        BrokerProcess broker = BrokerProcess.start(files);
        try (LoadDriver sender = new LoadDriver(language, files.port(), ledger);
                LoadDriver one = new LoadDriver(language, files.port(), ledger);
                LoadDriver other = new LoadDriver(language, files.port(), ledger)) {
            one.consume("load", "group");
            other.consume("load", "group");
            for (int round = 0; round < ROUNDS; round++) {
                sender.produce("load", round * MESSAGES_PER_ROUND, MESSAGES_PER_ROUND);
                int wanted = (round + 1) * MESSAGES_PER_ROUND - 1 - random.nextInt(MESSAGES_PER_ROUND);
                await().atMost(PATIENCE)
                        .pollInterval(Duration.ofMillis(1))
                        .until(() -> sender.check().acknowledgedCount() >= wanted);
                broker.kill9();
                broker = BrokerProcess.start(files);
            }
            int sent = ROUNDS * MESSAGES_PER_ROUND;
            await().atMost(PATIENCE).until(() -> sender.check().acknowledgedCount() == sent);
            var received = LogReader.readAll(files.port(), "load", 2);
            assertThat(ledger.faults(received)).isEmpty();
            assertThat(received).hasSize(sent);
            List<String> names =
                    IntStream.range(0, sent).mapToObj(LoadDriver::name).toList();
            await().atMost(PATIENCE).untilAsserted(() -> {
                one.check();
                other.check();
                List<String> missing = new ArrayList<>(names);
                missing.removeAll(one.consumed());
                missing.removeAll(other.consumed());
                assertThat(missing).isEmpty();
            });
            System.out.printf(
                    "%d kills: %d messages sent by %s, all stored once and in order, and consumed by a group of two%n",
                    ROUNDS, sent, language);
        } finally {
            broker.close();
        }
    }
}
