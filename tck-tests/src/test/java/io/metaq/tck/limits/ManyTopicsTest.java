package io.metaq.tck.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.BrokerProcess;
import io.metaq.tck.harness.Ledger;
import io.metaq.tck.harness.StoredMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many topics of one partition each: a start takes seconds and little memory. */
class ManyTopicsTest {
    private static final int TOPICS = Integer.getInteger("tck.topics", 1000);
    private static final boolean TIMED = TOPICS >= 10_000;
    private static final int STOPPED_BY_SIGNAL = 128 + 15;
    private static final long MEMORY_KB = 512 * 1024;

    @TempDir
    Path directory;

    @Test
    void shouldStartQuicklyAndInLittleMemoryWithDataInEveryTopic() throws IOException {
        var files = BrokerFiles.in(directory);
        for (int i = 0; i < TOPICS; i++) {
            files.osTopic("topic" + i, 1);
        }
        try (var broker = BrokerProcess.start(files)) {
            putIntoEach(broker);
            assertThat(broker.stop()).isIn(0, STOPPED_BY_SIGNAL);
        }
        long before = System.nanoTime();
        try (var broker = BrokerProcess.start(files, "-Xmx256m")) {
            var took = Duration.ofNanos(System.nanoTime() - before);
            long memory = residentKilobytes(broker);
            System.out.printf("%d topics: start %d ms, resident %d MB%n", TOPICS, took.toMillis(), memory / 1024);
            assertThat(memory).isLessThan(MEMORY_KB);
            if (TIMED) {
                assertThat(took).isLessThan(Duration.ofSeconds(10));
            }
            assertEachHasItsMessage(broker);
            assertThat(residentKilobytes(broker)).isLessThan(MEMORY_KB);
        }
    }

    private static void putIntoEach(BrokerProcess broker) throws IOException {
        try (var wire = broker.wire()) {
            for (int i = 0; i < TOPICS; i++) {
                byte[] body = Ledger.body("t", i, 100);
                wire.send("put topic%d 0 100 0 %d".formatted(i, StoredMessage.checksum(body)), "" + i, body);
                if (i % 100 == 99) {
                    for (int answers = 0; answers < 100; answers++) {
                        assertThat(wire.receive().code()).isEqualTo(200);
                    }
                }
            }
        }
    }

    private static void assertEachHasItsMessage(BrokerProcess broker) throws IOException {
        try (var wire = broker.wire()) {
            for (int i = 0; i < TOPICS; i++) {
                var reply = wire.ask("get topic%d reader 0 0 1000".formatted(i));
                assertThat(reply.ok()).as("topic%d: %s", i, reply.text()).isTrue();
                assertThat(reply.body()).hasSize(120);
            }
        }
    }

    private static long residentKilobytes(BrokerProcess broker) throws IOException {
        try (var lines = Files.lines(Path.of("/proc", Long.toString(broker.pid()), "status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
