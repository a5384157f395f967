package io.metaq.tck.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.BrokerProcess;
import io.metaq.tck.harness.FileSystemImage;
import io.metaq.tck.harness.Ledger;
import io.metaq.tck.harness.Load;
import io.metaq.tck.harness.LoadPlan;
import io.metaq.tck.harness.LogReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The power is cut under load: whatever was not synced is gone, and what was acknowledged by the disk is not among it. */
class PowerCutTest {
    private static final int ROUNDS = Integer.getInteger("tck.powercut.rounds", 2);
    private static final int PARTITIONS = 2;
    private static final int PRODUCERS = 4;
    private static final int MESSAGES_IN_FLIGHT = PRODUCERS * 32;
    private static final long BYTES = 512L * 1024 * 1024;

    @TempDir
    Path directory;

    @BeforeEach
    void needsRights() {
        FileSystemImage.assumePossible("mount", "umount", "xfs_io", "mkfs.ext4", "mkfs.xfs");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ext4", "xfs"})
    void shouldKeepWhatWasAcknowledgedByTheDiskThroughPowerCuts(String type) throws IOException {
        try (var disk = FileSystemImage.create(directory, type, BYTES)) {
            cutUnderLoad(disk);
        }
    }

    private void cutUnderLoad(FileSystemImage disk) throws IOException {
        var files = BrokerFiles.in(directory, disk.path().resolve("data"))
                .diskTopic("load", PARTITIONS)
                .set("checkpointInterval", 1000)
                .set("checkpointBytes", 1024 * 1024);
        long seed = Long.getLong("tck.seed", System.nanoTime());
        var random = new Random(seed);
        var ledger = new Ledger();
        var changes = new DurableChanges();
        var broker = BrokerProcess.start(files);
        try (var load = Load.start(LoadPlan.to(files.port(), "load", PARTITIONS), ledger, PRODUCERS)) {
            for (int round = 0; round < ROUNDS; round++) {
                changes.make(broker, round);
                load.awaitMore(MESSAGES_IN_FLIGHT + 1 + random.nextInt(2000));
                disk.cutPower();
                broker.kill9();
                disk.unmount();
                disk.mount();
                broker = BrokerProcess.start(files);
                changes.verify(broker);
            }
            load.awaitMore(100);
            load.stop();
            var received = LogReader.readAll(files.port(), "load", PARTITIONS);
            assertThat(ledger.faults(received)).as("seed %d", seed).isEmpty();
            System.out.printf(
                    "%d power cuts: %d messages acknowledged, %d found, none lost, duplicated or out of order%n",
                    ROUNDS, ledger.acknowledgedCount(), received.size());
        } finally {
            broker.close();
        }
    }
}
