package io.metaq.testkit.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.log.journal.Durability;
import io.metaq.log.journal.JournalDamagedException;
import io.metaq.log.partition.OpenFiles;
import io.metaq.log.partition.PartitionLog;
import io.metaq.log.partition.PartitionLogConfig;
import io.metaq.log.partition.PartitionSnapshot;
import io.metaq.log.tool.LogDump;
import io.metaq.log.tool.LogSalvage;
import io.metaq.log.tool.LogVerify;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LogToolsTest {

    private static final Path DATA = Path.of("/data");
    private static final Path PARTITION = DATA.resolve("partitions/t/0");
    private static final int RECORDS = 300;

    private final SimulatedStorage storage = new SimulatedStorage();
    private List<String> texts;
    private List<Long> ends;

    @BeforeEach
    void write() throws Exception {
        JournalRun run = JournalRun.start(storage);
        for (int i = 0; i < RECORDS; i++) {
            run.offer("record " + i + " " + "x".repeat(200), Durability.OS);
        }
        run.close();
        texts = run.applied.texts();
        ends = run.applied.ends();
    }

    private List<Path> segments() throws Exception {
        return storage.list(JournalRun.DIRECTORY).stream()
                .filter(path -> path.getFileName().toString().matches("[0-9]{20}\\.journal"))
                .toList();
    }

    private void flip(Path file, int at) throws Exception {
        byte[] content = storage.content(file);
        content[at] ^= 0x20;
        storage.replaceContent(file, content);
    }

    @Test
    void shouldFindNothingInAGoodJournal() throws Exception {
        LogVerify.Report report = LogVerify.verify(DATA, storage);
        assertThat(report.findings()).isEmpty();
        assertThat(report.records()).isEqualTo(RECORDS + 1); // and the mark of the clean stop
        List<String> lines = new ArrayList<>();
        assertThat(LogDump.journal(JournalRun.DIRECTORY, storage, lines::add)).isEmpty();
        assertThat(lines).hasSize(RECORDS + 1);
        assertThat(lines.get(0))
                .startsWith("position=0 epoch=1 type=1 synced=0 file=00000000000000000000.journal@4096");
        assertThat(lines.get(RECORDS)).contains("type=mark");
    }

    @Test
    void shouldSalvageADamagedRecordAndStartWithTheRest() throws Exception {
        Path first = segments().get(0);
        long damagedFrom = ends.get(9);
        flip(first, 4096 + (int) damagedFrom + 40);
        assertThatThrownBy(() -> JournalRun.recover(storage)).isInstanceOf(JournalDamagedException.class);
        LogVerify.Report report = LogVerify.verify(DATA, storage);
        assertThat(report.findings()).hasSize(1);
        assertThat(report.findings().get(0).file()).isEqualTo(first);
        assertThat(report.findings().get(0).position()).isEqualTo(4096 + damagedFrom);

        byte[] damaged = storage.content(first);
        LogSalvage.Report salvaged = LogSalvage.salvage(DATA, storage);
        assertThat(salvaged.lost()).isEqualTo(report.findings());
        assertThat(storage.content(salvaged.copies().get(0)))
                .isEqualTo(java.util.Arrays.copyOfRange(
                        damaged, 4096 + (int) damagedFrom, 4096 + (int) (long) ends.get(10)));
        List<String> rest = new ArrayList<>(texts);
        rest.remove(10);
        assertThat(JournalRun.recover(storage)).isEqualTo(rest);
        assertThat(LogVerify.verify(DATA, storage).findings()).isEmpty();
    }

    @Test
    void shouldSalvageALostHeaderALostSegmentAndDamageAcrossABoundary() throws Exception {
        List<Path> segments = segments();
        assertThat(segments).hasSizeGreaterThan(4);
        flip(segments.get(1), 20);
        storage.delete(segments.get(3));
        byte[] tail = storage.content(segments.get(0));
        java.util.Arrays.fill(tail, tail.length - 700, tail.length, (byte) 7);
        storage.replaceContent(segments.get(0), tail);
        assertThatThrownBy(() -> JournalRun.recover(storage)).isInstanceOf(JournalDamagedException.class);
        assertThat(LogSalvage.salvage(DATA, storage).lost()).hasSize(3);
        List<String> found = JournalRun.recover(storage);
        assertThat(found).hasSizeGreaterThan(RECORDS / 2).isSubsetOf(texts);
        assertThat(found.get(found.size() - 1)).isEqualTo(texts.get(RECORDS - 1));
        assertThat(LogVerify.verify(DATA, storage).findings()).isEmpty();
    }

    @Test
    void shouldSetDamagedMessagesAside() throws Exception {
        OpenFiles files = new OpenFiles(storage, 10);
        PartitionLog log = PartitionLog.open(PARTITION, PartitionLogConfig.ofSegmentBytes(1 << 20), files);
        for (int i = 0; i < 10; i++) {
            log.append(message(i, "message " + i), 1, i);
        }
        log.flush();
        PartitionSnapshot snapshot = log.snapshot();
        log.sync();
        files.close();
        Path file = PARTITION.resolve("0".repeat(20) + ".log");
        int length = (int) storage.size(file) / 10;
        flip(file, 3 * length + 25);
        assertThat(LogVerify.verify(DATA, storage).findings())
                .singleElement()
                .satisfies(finding -> assertThat(finding.position()).isEqualTo(3L * length));
        assertThat(LogSalvage.salvage(DATA, storage).copies()).hasSize(1);
        assertThat(LogVerify.verify(DATA, storage).findings()).isEmpty();

        PartitionLog reopened =
                PartitionLog.open(PARTITION, PartitionLogConfig.ofSegmentBytes(1 << 20), new OpenFiles(storage, 10));
        reopened.restore(snapshot);
        assertThat(reopened.slice(0, 1000).length()).isEqualTo(3 * length);
        assertThat(reopened.slice(3L * length, 1000).length()).isZero();
        assertThat(reopened.slice(3L * length, 1000).nextOffset()).isEqualTo(4L * length);
        List<String> lines = new ArrayList<>();
        assertThat(LogDump.segment(file, storage, lines::add)).hasSize(1);
        assertThat(lines).hasSize(9);
    }

    static ByteBuffer message(long id, String text) {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        CRC32 crc = new CRC32();
        crc.update(body);
        ByteBuffer message = ByteBuffer.allocate(20 + body.length);
        message.putInt(body.length).putInt((int) crc.getValue() & 0x7FFFFFFF).putLong(id);
        return message.putInt(0).put(body).flip();
    }
}
