package io.metaq.tck.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.BrokerProcess;
import io.metaq.tck.harness.CommandLine;
import io.metaq.tck.harness.Ledger;
import io.metaq.tck.harness.Load;
import io.metaq.tck.harness.LoadPlan;
import io.metaq.tck.harness.LogReader;
import io.metaq.tck.harness.StoredMessage;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that were cut or changed behind the broker's back. */
class DamageTest {
    @TempDir
    Path directory;

    @Test
    void shouldRefuseADamagedJournalNameThePlaceAndStartAfterSalvage() throws IOException {
        var files = filled(BrokerFiles.in(directory).diskTopic("load", 1), 1000);
        Path journal = journalWithData(files);
        flipByte(journal, 40_000);
        long sizeBefore = Files.size(journal);
        try (var broker = BrokerProcess.launch(files, List.of())) {
            assertThat(broker.awaitExit()).isNotZero();
            assertThat(broker.output())
                    .contains(journal.getFileName().toString())
                    .contains("log salvage")
                    .containsPattern("position \\d+");
        }
        assertThat(journal).exists().hasSize(sizeBefore);
        var salvage = CommandLine.run("log", "salvage", "-f", files.write().toString());
        assertThat(salvage.exitCode()).as(salvage.output()).isZero();
        assertThat(files.data().resolve("attic")).isNotEmptyDirectory();
        try (var broker = BrokerProcess.start(files)) {
            assertThat(LogReader.readAll(broker.port(), "load", 1)).isNotEmpty();
        }
    }

    /** The rest of a partition is served around a damaged message, whose bytes are kept aside. */
    @Test
    void shouldSetADamagedMessageAsideAndServeTheRest() throws IOException {
        var files = BrokerFiles.in(directory).diskTopic("load", 1);
        int all;
        StoredMessage victim;
        try (var broker = BrokerProcess.start(files);
                var load = Load.start(LoadPlan.to(files.port(), "load", 1).sized(1, 100), new Ledger(), 1)) {
            load.awaitMore(100);
            load.stop();
            var messages = LogReader.readAll(broker.port(), "load", 1);
            all = messages.size();
            victim = messages.get(all / 2);
            // A graceful stop takes a checkpoint: the journal does not bring the message again
            broker.stop();
        }
        flipByte(partitionLog(files), victim.offset() + StoredMessage.HEADER + 5);
        try (var broker = BrokerProcess.start(files);
                var wire = broker.wire()) {
            var scrub = wire.ask("topic scrub load");
            assertThat(scrub.text()).contains("damaged 0 %d %d".formatted(victim.offset(), victim.next()));
            assertThat(wire.ask("get load reader 0 %d 1000".formatted(victim.offset()))
                            .text())
                    .isEqualTo(Long.toString(victim.next()));
            assertThat(LogReader.readAll(broker.port(), "load", 1).size()).isEqualTo(all - 1);
            assertThat(files.data().resolve("attic")).isNotEmptyDirectory();
        }
    }

    /** A cut at any place of what was never promised by a sync leaves a prefix. */
    @Test
    void shouldStartWithAPrefixWhenTheJournalIsCut() throws IOException {
        var random = new Random(Long.getLong("tck.seed", 2));
        var files = filled(BrokerFiles.in(directory).osTopic("load", 1), 300);
        int all;
        try (var broker = BrokerProcess.start(files)) {
            all = LogReader.readAll(broker.port(), "load", 1).size();
            broker.kill9();
        }
        for (int i = 0; i < Integer.getInteger("tck.cut.rounds", 3); i++) {
            cutTail(journalWithData(files), 1 + random.nextInt(3000));
            try (var broker = BrokerProcess.start(files)) {
                var left = LogReader.readAll(broker.port(), "load", 1);
                assertThat(left.size()).isLessThanOrEqualTo(all);
                for (int n = 0; n < left.size(); n++) {
                    assertThat(left.get(n).text()).startsWith("p1000:" + n + ":");
                }
                all = left.size();
                broker.kill9();
            }
        }
    }

    /** Puts some messages into the topic, then kills the broker. */
    private static BrokerFiles filled(BrokerFiles files, int messages) throws IOException {
        var ledger = new Ledger();
        try (var broker = BrokerProcess.start(files);
                var load = Load.start(LoadPlan.to(files.port(), "load", 1).sized(1, 100), ledger, 1)) {
            load.awaitMore(messages);
            load.stop();
            broker.kill9();
        }
        return files;
    }

    private static Path partitionLog(BrokerFiles files) throws IOException {
        try (Stream<Path> list = Files.walk(files.data().resolve("partitions"))) {
            return list.filter(file -> file.toString().endsWith(".log"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static Path journalWithData(BrokerFiles files) throws IOException {
        try (Stream<Path> list = Files.list(files.data().resolve("journal"))) {
            return list.filter(Files::isRegularFile)
                    .filter(file -> lastByte(file) > 0)
                    .sorted()
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** Place after the last byte that is not zero: segments are preallocated. */
    private static long lastByte(Path file) {
        try {
            byte[] all = Files.readAllBytes(file);
            int end = all.length;
            while (end > 0 && all[end - 1] == 0) {
                end--;
            }
            return end;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void flipByte(Path file, long at) throws IOException {
        try (var raw = new RandomAccessFile(file.toFile(), "rw")) {
            raw.seek(at);
            int value = raw.read();
            raw.seek(at);
            raw.write(value ^ 0x55);
        }
    }

    /** What a lost page cache leaves: zeros where the last bytes were. */
    private static void cutTail(Path file, int bytes) throws IOException {
        long end = lastByte(file);
        try (var raw = new RandomAccessFile(file.toFile(), "rw")) {
            raw.seek(end - bytes);
            raw.write(new byte[bytes]);
        }
    }
}
