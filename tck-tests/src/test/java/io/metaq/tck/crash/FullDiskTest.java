package io.metaq.tck.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.BrokerProcess;
import io.metaq.tck.harness.FileSystemImage;
import io.metaq.tck.harness.Ledger;
import io.metaq.tck.harness.LogReader;
import io.metaq.tck.harness.StoredMessage;
import io.metaq.tck.harness.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk of 200 MB fills up: producers are told, everyone else is served, and room that is made is used at once. */
class FullDiskTest {
    private static final int MIB = 1024 * 1024;
    private static final int INSUFFICIENT_STORAGE = 507;

    @TempDir
    Path directory;

    @BeforeEach
    void needsRights() {
        FileSystemImage.assumePossible("mount", "umount", "mkfs.ext4");
    }

    @Test
    void shouldRefuseProducersServeReadersAndHealWhenRoomIsMade() throws IOException {
        try (var disk = FileSystemImage.create(directory, "ext4", 200L * MIB)) {
            Path ballast = fill(disk, "ballast", 60);
            var files = files(disk);
            var ledger = new Ledger();
            try (var broker = BrokerProcess.start(files);
                    var producer = broker.wire()) {
                produceUntilRefused(producer, ledger);
                assertServed(broker, ledger);
                Files.delete(ballast);
                await().pollInterval(Duration.ofMillis(50))
                        .until(() ->
                                put(producer, Ledger.body("again", 0, 1000)).ok());
            }
        }
    }

    @Test
    void shouldStartOnADiskThatIsFullAlready() throws IOException {
        try (var disk = FileSystemImage.create(directory, "ext4", 200L * MIB)) {
            var files = files(disk);
            try (var broker = BrokerProcess.start(files);
                    var wire = broker.wire()) {
                assertThat(put(wire, Ledger.body("first", 0, 100)).ok()).isTrue();
                broker.kill9();
            }
            Path ballast = fill(disk, "ballast", 400);
            try (var broker = BrokerProcess.start(files);
                    var wire = broker.wire()) {
                assertThat(put(wire, Ledger.body("second", 0, 100)).code()).isEqualTo(INSUFFICIENT_STORAGE);
                assertThat(LogReader.readAll(files.port(), "load", 1)).hasSize(1);
                Files.delete(ballast);
                await().until(() -> put(wire, Ledger.body("third", 0, 100)).ok());
            }
        }
    }

    private BrokerFiles files(FileSystemImage disk) {
        return BrokerFiles.in(directory, disk.path().resolve("data"))
                .osTopic("load", 1)
                .set("diskWatermarkBytes", 16 * MIB)
                .set("checkpointBytes", 8 * MIB);
    }

    /** A file of so many megabytes, or as many as there is room for. */
    private static Path fill(FileSystemImage disk, String name, int megabytes) throws IOException {
        Path file = disk.path().resolve(name);
        try (var out = Files.newOutputStream(file)) {
            for (int i = 0; i < megabytes; i++) {
                out.write(new byte[MIB]);
            }
        } catch (IOException full) {
            assertThat(full).hasMessageContaining("No space left");
        }
        return file;
    }

    private static void produceUntilRefused(Wire producer, Ledger ledger) throws IOException {
        producer.timeout(Duration.ofSeconds(30));
        byte[] padding = new byte[100_000];
        Arrays.fill(padding, (byte) 'x');
        for (long number = 0; ; number++) {
            byte[] body = Ledger.body("filler", number, 100_000);
            ledger.attempted("filler", number);
            long before = System.nanoTime();
            var reply = put(producer, body);
            if (!reply.ok()) {
                assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
                assertThat(reply.code()).as(reply.text()).isEqualTo(INSUFFICIENT_STORAGE);
                assertThat(number).as("messages that fitted").isGreaterThan(100);
                return;
            }
            String[] place = reply.text().split(" ");
            ledger.acknowledged("filler", number, Integer.parseInt(place[1]), Long.parseLong(place[2]));
        }
    }

    private static void assertServed(BrokerProcess broker, Ledger ledger) throws IOException {
        assertThat(ledger.faults(LogReader.readAll(broker.port(), "load", 1))).isEmpty();
        try (var wire = broker.wire()) {
            var committed =
                    wire.askWithOptions("group commit readers", "topic=load partition=0 offset=20", new byte[0]);
            assertThat(committed.code()).as(committed.text()).isEqualTo(200);
        }
    }

    private static Wire.Reply put(Wire wire, byte[] body) throws IOException {
        return wire.ask("put load 0 %d 0 %d".formatted(body.length, StoredMessage.checksum(body)), body);
    }
}
