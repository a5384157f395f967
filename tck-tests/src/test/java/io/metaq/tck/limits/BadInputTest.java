package io.metaq.tck.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.BrokerProcess;
import io.metaq.tck.harness.Wire;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A malformed, oversized or hostile frame costs its own connection and one line in the log. */
class BadInputTest {
    /** Closing with bytes unread is a reset to the other side. */
    private static final String ENDED = "(?i)closed.*|connection reset.*|broken pipe.*";

    private static BrokerProcess broker;
    private static Wire bystander;

    @BeforeAll
    static void start(@TempDir Path directory) throws IOException {
        broker = BrokerProcess.start(BrokerFiles.in(directory)
                .osTopic("test", 1)
                .set("maxMessageSize", 100_000)
                .set("maxLineSize", 4096)
                .set("maxConnections", 20));
        bystander = broker.wire();
    }

    @AfterAll
    static void stop() {
        bystander.close();
        broker.close();
    }

    static Stream<String> badFrames() {
        return Stream.of(
                "nonsense 1\r\n",
                "\r\n",
                "PUT test 0 1 0 1\r\nx",
                "put test 0 one 0 1\r\nx",
                "put test 0 -1 0 1\r\n",
                "put test 0 2000000000 0 1\r\n",
                "put test 0 99999999999 0 1\r\n",
                "get test g 0 0\r\n",
                "get  test g 0 0 100 1\r\n",
                "get test g 0 99999999999999999999 100 1\r\n",
                "append test 0 1 2147483647 1\r\n",
                "transaction TX:1:2 s NOTATYPE 1\r\n",
                "put " + "x".repeat(10_000) + "\r\n");
    }

    @ParameterizedTest
    @MethodSource("badFrames")
    void shouldCostItsOwnConnectionAndOneLine(String frame) throws IOException {
        long before = settledLogLines();
        try (var wire = broker.wire()) {
            wire.sendRaw(frame.getBytes(StandardCharsets.UTF_8));
            assertThatThrownBy(wire::receive).isInstanceOf(IOException.class).hasMessageMatching(ENDED);
        }
        assertThat(bystander.ask("version").ok()).isTrue();
        assertThat(settledLogLines() - before).isEqualTo(1);
    }

    /** A line feed alone ends no line: nothing is answered, and the limit of a line is reached in the end. */
    @Test
    void shouldCloseAConnectionThatNeverEndsItsLine() throws IOException {
        try (var wire = broker.wire()) {
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 10_000; i++) {
                            wire.sendRaw("version 1\n".getBytes(StandardCharsets.UTF_8));
                        }
                        wire.receive();
                    })
                    .isInstanceOf(IOException.class);
        }
        assertThat(bystander.ask("version").ok()).isTrue();
    }

    @Test
    void shouldOutliveRandomBytes() throws IOException {
        var random = new Random(4711);
        for (int i = 0; i < 50; i++) {
            byte[] noise = new byte[1 + random.nextInt(5000)];
            random.nextBytes(noise);
            try (var wire = broker.wire()) {
                wire.sendRaw(noise);
            }
        }
        assertThat(bystander.ask("version").ok()).isTrue();
    }

    @Test
    void shouldCloseTheConnectionThatIsOneTooMany() throws IOException {
        var open = new java.util.ArrayList<Wire>();
        try {
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 21; i++) {
                            var wire = broker.wire();
                            open.add(wire);
                            wire.ask("version");
                        }
                    })
                    .isInstanceOf(IOException.class);
            assertThat(open).hasSizeGreaterThan(15);
            assertThat(open.get(0).ask("version").ok()).isTrue();
            assertThat(bystander.ask("version").ok()).isTrue();
        } finally {
            open.forEach(Wire::close);
        }
    }

    /** The broker's output is read in the background: it is counted once it has been still for a while. */
    private static long settledLogLines() {
        var seen = new AtomicLong(-1);
        await().atMost(Duration.ofSeconds(10))
                .pollInterval(Duration.ofMillis(100))
                .until(() -> seen.getAndSet(logLines()) == logLines());
        return seen.get();
    }

    private static long logLines() {
        return broker.output().lines().filter(line -> !line.isBlank()).count();
    }
}
