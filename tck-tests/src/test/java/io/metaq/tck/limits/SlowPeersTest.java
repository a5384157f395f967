package io.metaq.tck.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.BrokerProcess;
import io.metaq.tck.harness.FileSystemImage;
import io.metaq.tck.harness.Ledger;
import io.metaq.tck.harness.Load;
import io.metaq.tck.harness.LoadPlan;
import io.metaq.tck.harness.LogReader;
import io.metaq.tck.harness.StoredMessage;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that is slow, and clients that do not read: memory is bounded and everyone else is served. */
class SlowPeersTest {
    private static final int MIB = 1024 * 1024;

    @TempDir
    Path directory;

    @Test
    void shouldHoldSendersBackAndServeTheRestWhenTheDiskIsSlow() throws IOException {
        FileSystemImage.assumeInstalled("strace");
        var files = BrokerFiles.in(directory).diskTopic("load", 1).set("maxInFlightBytes", 2 * MIB);
        var slow = List.of(
                "strace",
                "-D",
                "-f",
                "-o",
                "/dev/null",
                "-e",
                "trace=fdatasync",
                "-e",
                "inject=fdatasync:delay_enter=200000");
        var ledger = new Ledger();
        try (var broker = BrokerProcess.launch(files, slow, "-Xmx64m")) {
            broker.awaitAnswer();
            try (var load = Load.start(LoadPlan.to(files.port(), "load", 1).sized(32, 64 * 1024), ledger, 8);
                    var wire = broker.wire()) {
                load.awaitMore(20);
                wire.timeout(Duration.ofSeconds(30));
                for (int i = 0; i < 20; i++) {
                    assertThat(wire.ask("version").ok()).isTrue();
                    assertThat(wire.ask("get load reader 0 0 1000").ok()).isTrue();
                }
                load.awaitMore(20);
                load.stop();
                assertThat(ledger.faults(LogReader.readAll(files.port(), "load", 1)))
                        .isEmpty();
            }
        }
    }

    /** Replies that nobody reads must not pile up in the broker. */
    @Test
    void shouldBoundWhatItHoldsForAClientThatDoesNotRead() throws IOException {
        try (var broker = BrokerProcess.start(BrokerFiles.in(directory).osTopic("test", 1), "-Xmx64m");
                var bystander = broker.wire()) {
            byte[] body = Ledger.body("big", 0, MIB);
            for (int i = 0; i < 4; i++) {
                var stored = bystander.ask("put test 0 %d 0 %d".formatted(MIB, StoredMessage.checksum(body)), body);
                assertThat(stored.ok()).isTrue();
            }
            try (var deaf = broker.wire()) {
                var flood = new Thread(() -> flood(deaf), "flood");
                flood.setDaemon(true);
                flood.start();
                await().during(Duration.ofSeconds(1))
                        .atMost(Duration.ofSeconds(60))
                        .until(() -> bystander.ask("version").ok()
                                && bystander.ask("get test reader 0 0 1000").ok());
                assertThat(broker.isAlive()).isTrue();
                assertThat(broker.output()).doesNotContain("OutOfMemory");
            }
        }
    }

    private static void flood(io.metaq.tck.harness.Wire deaf) {
        try {
            for (int i = 0; i < 100_000; i++) {
                deaf.send("get test deaf 0 0 1048576", Integer.toString(i), new byte[0]);
            }
        } catch (SocketTimeoutException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            // The broker may also close the connection of a client that does not read, and the test closes it at its
            // end
            assertThat(e).hasMessageMatching("(?i).*(reset|closed|broken pipe).*");
        }
    }
}
