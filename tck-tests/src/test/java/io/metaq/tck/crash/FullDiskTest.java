package io.metaq.tck.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.metaq.client.BrokerBusyException;
import io.metaq.client.MetaqClient;
import io.metaq.client.subscription.Enlistment;
import io.metaq.client.subscription.SubscriberLink;
import io.metaq.client.subscription.TransactionParts;
import io.metaq.client.subscription.TransactionStep;
import io.metaq.protocol.TransactionKey;
import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.BrokerProcess;
import io.metaq.tck.harness.FileSystemImage;
import io.metaq.tck.harness.Ledger;
import io.metaq.tck.harness.LogReader;
import io.metaq.tck.harness.StoredMessage;
import io.metaq.tck.harness.Unconcerned;
import io.metaq.tck.harness.Wire;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk of 200 MB fills up: producers are told, everyone else is served, and room that is made is used at once. */
class FullDiskTest {
    private static final int MIB = 1024 * 1024;
    private static final int INSUFFICIENT_STORAGE = 507;
    private static final int BODY = 1_000;
    private static final int PIECE = 1_000;
    private static final TransactionKey.Xa PREPARED = new TransactionKey.Xa(1, "0a", "01", "full");
    private static final TransactionKey.Xa OPEN = new TransactionKey.Xa(1, "0a", "02", "full");

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

    /** Before the watermark is reached: the disk itself has no room for what a transaction holds, or for where it is to go. */
    @Test
    void shouldRefuseThePartsOfTransactionsAndKeepWhatIsPrepared() throws Exception {
        try (var disk = FileSystemImage.create(directory, "ext4", 200L * MIB)) {
            Path ballast = fill(disk, "ballast", 60);
            var files = files(disk).set("diskWatermarkBytes", 0);
            try (var broker = BrokerProcess.start(files);
                    var client = MetaqClient.builder()
                            .servers("127.0.0.1:" + broker.port())
                            .build();
                    var link = client.subscriber(new Unconcerned())) {
                link.ready().join();
                int prepared = enlist(link, PREPARED, 20);
                assertThat(prepared).isEqualTo(20);
                link.transaction(PREPARED, TransactionStep.PREPARE).join();
                int open = enlist(link, OPEN, Integer.MAX_VALUE);
                assertThat(open).as("pieces until the disk was full").isBetween(5, 200);

                assertThat(broker.isAlive()).isTrue();
                assertThat(end(broker))
                        .as("nothing is visible, and readers are served")
                        .isZero();
                link.transaction(OPEN, TransactionStep.ROLLBACK).join();
                fill(disk, "rest", 400);
                boolean committed = commit(link);
                assertThat(broker.isAlive()).isTrue();

                Files.delete(ballast);
                if (!committed) {
                    await().atMost(Duration.ofSeconds(20)).until(() -> commit(link));
                }
                long all = 20L * PIECE * StoredMessage.encode(new byte[BODY]).length;
                await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
                    assertThat(broker.isAlive()).as(broker.output()).isTrue();
                    assertThat(end(broker)).isEqualTo(all);
                });
                assertThat(LogReader.readAll(files.port(), "load", 1)).hasSize(20 * PIECE);
            }
        }
    }

    private static boolean commit(SubscriberLink link) {
        try {
            link.transaction(PREPARED, TransactionStep.COMMIT_TWO_PHASE).join();
            return true;
        } catch (CompletionException refused) {
            assertThat(refused.getCause()).isInstanceOf(BrokerBusyException.class);
            return false;
        }
    }

    /** Adds pieces of a megabyte to a transaction until there are so many, or one is refused; gives how many were taken. */
    private static int enlist(SubscriberLink link, TransactionKey key, int most) {
        for (int piece = 0; piece < most; piece++) {
            var parts = new TransactionParts();
            for (int i = 0; i < PIECE; i++) {
                parts.send("load", 0, 0, new byte[BODY]);
            }
            try {
                link.enlist(new Enlistment(key, parts, Enlistment.Then.NOTHING, 0, piece > 0))
                        .join();
            } catch (CompletionException refused) {
                assertThat(refused.getCause())
                        .isInstanceOfSatisfying(
                                BrokerBusyException.class,
                                busy -> assertThat(busy.code()).isEqualTo(INSUFFICIENT_STORAGE));
                return piece;
            }
        }
        return most;
    }

    private static long end(BrokerProcess broker) throws IOException {
        try (var wire = broker.wire()) {
            return Long.parseLong(wire.askWithOptions("offset load anybody 0 0", "at=last", new byte[0])
                    .text()
                    .strip());
        } catch (ConnectException e) {
            throw new AssertionError(broker.output(), e);
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
                assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(1));
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
