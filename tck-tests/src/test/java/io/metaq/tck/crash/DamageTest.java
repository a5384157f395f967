package io.metaq.tck.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.BrokerProcess;
import io.metaq.tck.harness.CommandLine;
import io.metaq.tck.harness.Ledger;
import io.metaq.tck.harness.Load;
import io.metaq.tck.harness.LoadPlan;
import io.metaq.tck.harness.LogReader;
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
        var files = filled(2000);
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

    /** A cut at any place of what was never promised by a sync leaves a prefix. */
    @Test
    void shouldStartWithAPrefixWhenTheJournalIsCut() throws IOException {
        var random = new Random(Long.getLong("tck.seed", 2));
        var files = filled(300);
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

    /** A topic of durability os with some messages in it, after a kill. */
    private BrokerFiles filled(int messages) throws IOException {
        var files = BrokerFiles.in(directory).osTopic("load", 1).set("unflushInterval", 200);
        var ledger = new Ledger();
        try (var broker = BrokerProcess.start(files);
                var load = Load.start(LoadPlan.to(files.port(), "load", 1).sized(1, 100), ledger, 1)) {
            load.awaitMore(messages);
            load.stop();
            broker.kill9();
        }
        return files;
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
