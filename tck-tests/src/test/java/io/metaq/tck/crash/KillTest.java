package io.metaq.tck.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.BrokerProcess;
import io.metaq.tck.harness.Ledger;
import io.metaq.tck.harness.Load;
import io.metaq.tck.harness.LoadPlan;
import io.metaq.tck.harness.LogReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code kill -9} under load, many times over the same data: what was acknowledged is there once and in order. */
class KillTest {
    private static final int ROUNDS = Integer.getInteger("tck.kill9.rounds", 6);
    private static final int PARTITIONS = 3;

    @TempDir
    Path directory;

    @Test
    void shouldKeepWhatWasAcknowledgedByTheDiskThroughKills() throws IOException {
        killUnderLoad(BrokerFiles.in(directory).diskTopic("load", PARTITIONS));
    }

    @Test
    void shouldKeepWhatWasAcknowledgedByTheSystemThroughKills() throws IOException {
        killUnderLoad(BrokerFiles.in(directory).osTopic("load", PARTITIONS));
    }

    /** Segments small enough that kills fall on their changes, and checkpoints as often as they may come. */
    private void killUnderLoad(BrokerFiles files) throws IOException {
        files.set("checkpointInterval", 1000).set("checkpointBytes", 1024 * 1024);
        long seed = Long.getLong("tck.seed", System.nanoTime());
        var random = new Random(seed);
        var ledger = new Ledger();
        var broker = BrokerProcess.start(files);
        try (var load = Load.start(LoadPlan.to(files.port(), "load", PARTITIONS), ledger, 4)) {
            for (int round = 0; round < ROUNDS; round++) {
                load.awaitMore(1 + random.nextInt(3000));
                broker.kill9();
                broker = BrokerProcess.start(files);
            }
            load.awaitMore(100);
            load.stop();
            var received = LogReader.readAll(files.port(), "load", PARTITIONS);
            assertThat(ledger.faults(received)).as("seed %d", seed).isEmpty();
            assertThat(received.size()).isGreaterThanOrEqualTo(ledger.acknowledgedCount());
            System.out.printf(
                    "%d kills: %d messages acknowledged, %d found, none lost, duplicated or out of order%n",
                    ROUNDS, ledger.acknowledgedCount(), received.size());
        } finally {
            broker.close();
        }
    }
}
