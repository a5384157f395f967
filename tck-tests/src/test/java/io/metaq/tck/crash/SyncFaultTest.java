package io.metaq.tck.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.BrokerProcess;
import io.metaq.tck.harness.FileSystemImage;
import io.metaq.tck.harness.Ledger;
import io.metaq.tck.harness.Load;
import io.metaq.tck.harness.LoadPlan;
import io.metaq.tck.harness.LogReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Syncs that fail and syncs during which the process dies, by {@code strace}. */
class SyncFaultTest {
    private static final int PARTITIONS = 2;

    @TempDir
    Path directory;

    @BeforeEach
    void needsStrace() {
        FileSystemImage.assumeInstalled("strace");
    }

    /** Which syncs to die at: a few in an ordinary run, each one up to a number in a long run. */
    static List<Integer> syncs() {
        int upTo = Integer.getInteger("tck.crash-at-sync.upto", 0);
        return upTo == 0
                ? List.of(1, 4, 9, 40)
                : java.util.stream.IntStream.rangeClosed(1, upTo).boxed().toList();
    }

    @ParameterizedTest
    @MethodSource("syncs")
    void shouldKeepWhatWasAcknowledgedWhenItDiesAtASync(int sync) throws IOException {
        var files = files();
        var ledger = new Ledger();
        var plan = LoadPlan.to(files.port(), "load", PARTITIONS);
        try (var broker = BrokerProcess.launch(files, inject("signal=SIGKILL:when=" + sync));
                var load = Load.start(plan, ledger, 2)) {
            broker.awaitExit();
            try (var again = BrokerProcess.start(files)) {
                load.awaitMore(50);
                load.stop();
                assertThat(ledger.faults(LogReader.readAll(again.port(), "load", PARTITIONS)))
                        .isEmpty();
            }
        }
    }

    /** A failed sync is never tried again: what it covered gets an error, and the broker leaves service and says why. */
    @Test
    void shouldLeaveServiceWhenASyncFails() throws IOException {
        var files = files();
        var ledger = new Ledger();
        var plan = LoadPlan.to(files.port(), "load", PARTITIONS);
        try (var broker = BrokerProcess.launch(files, inject("error=EIO:when=40+"));
                var load = Load.start(plan, ledger, 2)) {
            assertThat(broker.awaitExit()).isNotZero();
            assertThat(broker.output()).containsIgnoringCase("sync");
            assertThat(load.lastRefusal()).contains("the journal failed");
            int acknowledged = ledger.acknowledgedCount();
            assertThat(acknowledged).isPositive();
            try (var again = BrokerProcess.start(files)) {
                load.awaitMore(50);
                load.stop();
                assertThat(ledger.faults(LogReader.readAll(again.port(), "load", PARTITIONS)))
                        .isEmpty();
            }
        }
    }

    /** Writes that find no room although the disk looked roomy: refused, and nothing that was promised is lost. */
    @Test
    void shouldLoseNothingWhenWritesFindNoRoom() throws IOException {
        var files = files();
        var ledger = new Ledger();
        var plan = LoadPlan.to(files.port(), "load", PARTITIONS);
        var wrapper = List.of(
                "strace",
                "-D",
                "-f",
                "-o",
                "/dev/null",
                "-e",
                "trace=pwrite64,pwritev",
                "-e",
                "inject=pwrite64,pwritev:error=ENOSPC:when=400+");
        try (var broker = BrokerProcess.launch(files, wrapper);
                var load = Load.start(plan, ledger, 2)) {
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> !broker.isAlive() || !load.lastRefusal().isEmpty());
            broker.kill9();
            try (var again = BrokerProcess.start(files)) {
                load.awaitMore(50);
                load.stop();
                assertThat(ledger.faults(LogReader.readAll(again.port(), "load", PARTITIONS)))
                        .isEmpty();
            }
        }
    }

    private BrokerFiles files() {
        return BrokerFiles.in(directory)
                .diskTopic("load", PARTITIONS)
                .set("journalSegmentSize", 1024 * 1024)
                .set("maxMessageSize", 256 * 1024);
    }

    /** With -D the broker keeps the process id that was started, and strace is the one on the side. */
    private static List<String> inject(String what) {
        return List.of(
                "strace",
                "-D",
                "-f",
                "-o",
                "/dev/null",
                "-e",
                "trace=fdatasync,fsync",
                "-e",
                "inject=fdatasync,fsync:" + what);
    }
}
