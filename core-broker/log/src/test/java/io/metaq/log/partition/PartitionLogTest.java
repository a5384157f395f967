package io.metaq.log.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.metaq.log.file.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartitionLogTest {

    private static final int SEGMENT_BYTES = 4096;
    private static final int MESSAGE_BYTES = 100;
    private static final int PER_SEGMENT = SEGMENT_BYTES / MESSAGE_BYTES;

    @TempDir
    Path root;

    private final OpenFiles files = new OpenFiles(Storage.disk(), 10);

    private PartitionLog open() throws IOException {
        return PartitionLog.open(root.resolve("topic/0"), PartitionLogConfig.ofSegmentBytes(SEGMENT_BYTES), files);
    }

    private static String text(int i) {
        String start = "message " + i + " ";
        return start + "x".repeat(MESSAGE_BYTES - MessageScan.HEADER_BYTES - start.length());
    }

    /** Messages of 100 bytes; message i is appended at time 1000 + 10 i. */
    private static void append(PartitionLog log, int from, int to) throws IOException {
        for (int i = from; i < to; i++) {
            assertThat(log.append(Messages.message(i, text(i)), 1, 1000 + 10L * i))
                    .isEqualTo(i * (long) MESSAGE_BYTES);
            if (i % 7 == 0) {
                log.flush();
            }
        }
        log.flush();
    }

    private static List<String> expected(int from, int to) {
        List<String> texts = new ArrayList<>();
        for (int i = from; i < to; i++) {
            texts.add(text(i));
        }
        return texts;
    }

    private List<String> names() throws IOException {
        return Storage.disk().list(root.resolve("topic/0")).stream()
                .map(path -> path.getFileName().toString())
                .toList();
    }

    @Test
    void shouldHaveNoFilesBeforeTheFirstMessage() throws Exception {
        PartitionLog log = open();
        assertThat(log.startOffset()).isZero();
        assertThat(log.endOffset()).isZero();
        assertThat(log.messageCount()).isZero();
        assertThat(log.slice(0, 100)).isNull();
        assertThat(log.offsetForTime(0)).isZero();
        assertThat(log.expiredBefore(1_000_000, 0, 0)).isZero();
        assertThat(log.trimBefore(0, Disposal.DELETE)).isZero();
        log.sync();
        log.close();
        assertThat(root.resolve("topic")).doesNotExist();
    }

    @Test
    void shouldGiveBackWhatWasAppendedAcrossSegments() throws Exception {
        PartitionLog log = open();
        append(log, 0, 300);
        assertThat(Messages.texts(Messages.read(log, 0, log.endOffset()))).isEqualTo(expected(0, 300));
        assertThat(log.messageCount()).isEqualTo(300);
        assertThat(names().stream().filter(name -> name.endsWith(".log"))).hasSize(300 / PER_SEGMENT + 1);
        assertThat(log.segmentStart(PER_SEGMENT * MESSAGE_BYTES + 5L)).isEqualTo(PER_SEGMENT * MESSAGE_BYTES);
        LogSlice slice = log.slice(PER_SEGMENT * MESSAGE_BYTES - 30L, 1000);
        assertThat(slice.length()).isEqualTo(30);
        slice.release();
    }

    @Test
    void shouldShowNothingBeforeTheFlush() throws Exception {
        PartitionLog log = open();
        log.append(new ByteBuffer[] {Messages.message(1, "a"), Messages.message(2, "b")}, 2, 2, 5);
        assertThat(log.endOffset()).isZero();
        assertThat(log.messageCount()).isZero();
        assertThat(log.slice(0, 10)).isNull();
        log.flush();
        assertThat(log.endOffset()).isEqualTo(42);
        assertThat(log.messageCount()).isEqualTo(2);
    }

    @Test
    void shouldGoBackToASnapshotAndReplay() throws Exception {
        PartitionLog log = open();
        append(log, 0, 150);
        PartitionSnapshot snapshot = log.snapshot();
        log.sync();
        append(log, 150, 290);
        byte[] all = Messages.read(log, 0, log.endOffset());
        long at = log.offsetForTime(1000 + 10L * 200);
        log.close();

        PartitionLog reopened = open();
        ByteBuffer encoded = ByteBuffer.allocate(PartitionSnapshot.BYTES);
        snapshot.writeTo(encoded);
        reopened.restore(PartitionSnapshot.readFrom(encoded.flip()));
        assertThat(reopened.endOffset()).isEqualTo(snapshot.endOffset());
        assertThat(reopened.messageCount()).isEqualTo(150);
        append(reopened, 150, 290);
        assertThat(Messages.read(reopened, 0, reopened.endOffset())).isEqualTo(all);
        assertThat(reopened.messageCount()).isEqualTo(290);
        assertThat(reopened.offsetForTime(1000 + 10L * 200)).isEqualTo(at).isEqualTo(200L * MESSAGE_BYTES);
    }

    @Test
    void shouldFindTheFirstMessageOfATime() throws Exception {
        PartitionLog log = open();
        append(log, 0, 200);
        for (int i = 0; i < 200; i++) {
            assertThat(log.offsetForTime(1000 + 10L * i)).isEqualTo(i * (long) MESSAGE_BYTES);
            assertThat(log.offsetForTime(1000 + 10L * i - 9)).isEqualTo(i * (long) MESSAGE_BYTES);
        }
        assertThat(log.offsetForTime(1000 + 10L * 199 + 1)).isEqualTo(log.endOffset());
        assertThat(log.offsetForTime(Long.MIN_VALUE)).isZero();
    }

    @Test
    void shouldNotGoBackInTimeWithTheClock() throws Exception {
        PartitionLog log = open();
        log.append(Messages.message(1, "late"), 1, 5000);
        log.append(Messages.message(2, "clock set back"), 1, 1000);
        log.flush();
        assertThat(log.offsetForTime(2000)).isZero();
        assertThat(log.snapshot().lastAppendMs()).isEqualTo(5000);
    }

    @Test
    void shouldRebuildALostTimeIndexWithoutSkippingMessages() throws Exception {
        PartitionLog log = open();
        append(log, 0, 200);
        PartitionSnapshot snapshot = log.snapshot();
        log.sync();
        log.close();
        for (Path path : Storage.disk().list(root.resolve("topic/0"))) {
            if (path.toString().endsWith(".time")) {
                Files.delete(path);
            }
        }
        PartitionLog reopened = open();
        reopened.restore(snapshot);
        assertThat(reopened.offsetForTime(1500)).isZero();
        assertThat(reopened.messageCount()).isEqualTo(200);
        append(reopened, 200, 250);
        assertThat(reopened.messageCount()).isEqualTo(250);
        reopened.trimBefore(2L * PER_SEGMENT * MESSAGE_BYTES, Disposal.DELETE);
        assertThat(reopened.messageCount()).isEqualTo(250 - 2 * PER_SEGMENT);
    }

    @Test
    void shouldNoticeADamagedTimeIndex() throws Exception {
        PartitionLog log = open();
        append(log, 0, 100);
        PartitionSnapshot snapshot = log.snapshot();
        log.sync();
        log.close();
        Path index = root.resolve("topic/0/" + "0".repeat(20) + ".time");
        byte[] bytes = Files.readAllBytes(index);
        bytes[10 * TimeIndex.ENTRY_BYTES + 3] ^= 1;
        Files.write(index, bytes);
        PartitionLog reopened = open();
        reopened.restore(snapshot);
        assertThat(reopened.offsetForTime(1000 + 10 * 5)).isEqualTo(5L * MESSAGE_BYTES);
        assertThat(reopened.offsetForTime(1000 + 10 * 20)).isEqualTo(9L * MESSAGE_BYTES);
        assertThat(reopened.messageCount()).isEqualTo(100);
    }

    @Test
    void shouldTrimByAgeAndBySizeButNeverTheSegmentInUseForItsSize() throws Exception {
        PartitionLog log = open();
        append(log, 0, 200);
        long second = (long) PER_SEGMENT * MESSAGE_BYTES;
        assertThat(log.expiredBefore(1000 + 10L * PER_SEGMENT, 10, -1)).isZero();
        assertThat(log.expiredBefore(1000 + 10L * PER_SEGMENT + 1, 10, -1)).isEqualTo(second);
        assertThat(log.expiredBefore(0, -1, log.endOffset() - second)).isEqualTo(second);
        assertThat(log.expiredBefore(0, -1, log.endOffset() - second + 1)).isZero();
        assertThat(log.expiredBefore(0, -1, 0)).isEqualTo(4 * second);
        assertThat(log.trimBefore(second + 1, Disposal.DELETE)).isEqualTo(second);
        assertThat(log.startOffset()).isEqualTo(second);
        assertThat(log.messageCount()).isEqualTo(200 - PER_SEGMENT);
        assertThat(log.slice(0, 10)).isNull();
        assertThat(names()).doesNotContain("0".repeat(20) + ".log", "0".repeat(20) + ".time");
    }

    @Test
    void shouldFreeAnIdlePartitionWhole() throws Exception {
        PartitionLog log = open();
        append(log, 0, 50);
        long end = log.endOffset();
        assertThat(log.expiredBefore(1_000_000, 1000, -1)).isEqualTo(end);
        assertThat(log.trimBefore(end, Disposal.DELETE)).isEqualTo(end);
        assertThat(log.messageCount()).isZero();
        assertThat(names()).isEmpty();
        PartitionSnapshot snapshot = log.snapshot();
        log.close();
        PartitionLog reopened = open();
        reopened.restore(snapshot);
        assertThat(reopened.startOffset()).isEqualTo(end);
        append(reopened, 50, 60);
        assertThat(reopened.messageCount()).isEqualTo(10);
        assertThat(Messages.texts(Messages.read(reopened, end, reopened.endOffset())))
                .isEqualTo(expected(50, 60));
    }

    @Test
    void shouldKeepATrimmedSegmentUntilItsLastReaderIsDone() throws Exception {
        PartitionLog log = open();
        append(log, 0, 100);
        LogSlice slice = log.slice(0, 200);
        log.trimBefore(log.endOffset(), Disposal.DELETE);
        assertThat(names()).contains("0".repeat(20) + ".log");
        ByteBuffer bytes = ByteBuffer.allocate(200);
        assertThat(slice.read(bytes, 0)).isEqualTo(200);
        assertThat(Messages.texts(bytes.array())).isEqualTo(expected(0, 2));
        slice.release();
        assertThat(names()).isEmpty();
    }

    @Test
    void shouldArchiveInsteadOfDeleting() throws Exception {
        PartitionLog log = open();
        append(log, 0, 100);
        byte[] first = Files.readAllBytes(root.resolve("topic/0/" + "0".repeat(20) + ".log"));
        log.trimBefore((long) PER_SEGMENT * MESSAGE_BYTES, Disposal.ARCHIVE);
        assertThat(Files.readAllBytes(root.resolve("topic/0/" + "0".repeat(20) + ".arc")))
                .isEqualTo(first);
    }

    @Test
    void shouldPackAnArchiveBeforeTheOriginalGoes() throws Exception {
        PartitionLog log = open();
        append(log, 0, 30);
        Path original = root.resolve("topic/0/" + "0".repeat(20) + ".log");
        byte[] bytes = Files.readAllBytes(original);
        PartitionSegment segment = log.segments().get(0);
        log.close();
        new SegmentDisposal(Storage.disk()).disposeNow(segment, Disposal.ARCHIVE_COMPRESSED);
        assertThat(original).doesNotExist();
        try (ZipFile zip =
                new ZipFile(root.resolve("topic/0/" + "0".repeat(20) + ".zip").toFile())) {
            byte[] unpacked = zip.getInputStream(zip.entries().nextElement()).readAllBytes();
            assertThat(unpacked).isEqualTo(bytes);
        }
    }

    @Test
    void shouldServeTheRestAroundADamagedRange() throws Exception {
        PartitionLog log = open();
        append(log, 0, 100);
        PartitionSnapshot snapshot = log.snapshot();
        Path attic = root.resolve("attic");
        DamagedRange range = new DamagedRange(10L * MESSAGE_BYTES, 12L * MESSAGE_BYTES);
        Path copy = log.setAside(range, attic);
        assertThat(Messages.texts(Files.readAllBytes(copy))).isEqualTo(expected(10, 12));
        List<String> rest = expected(0, 100);
        rest.subList(10, 12).clear();
        assertThat(withoutZeros(log)).isEqualTo(rest);
        log.close();
        PartitionLog reopened = open();
        reopened.restore(snapshot);
        assertThat(reopened.damagedRanges()).containsExactly(range);
        assertThat(withoutZeros(reopened)).isEqualTo(rest);
    }

    private static List<String> withoutZeros(PartitionLog log) throws IOException {
        List<String> texts = new ArrayList<>();
        for (long at = log.startOffset(); at < log.endOffset(); ) {
            LogSlice slice = log.slice(at, 1 << 20);
            ByteBuffer part = ByteBuffer.allocate(slice.length());
            slice.read(part, 0);
            texts.addAll(Messages.texts(part.array()));
            at = slice.nextOffset();
            slice.release();
        }
        return texts;
    }

    @Test
    void shouldTakeBytesThatAreMissingForADamagedRange() throws Exception {
        PartitionLog log = open();
        append(log, 0, 100);
        PartitionSnapshot snapshot = log.snapshot();
        log.sync();
        log.close();
        Path last = root.resolve("topic/0/" + String.format("%020d.log", 2L * PER_SEGMENT * MESSAGE_BYTES));
        try (var channel = java.nio.channels.FileChannel.open(last, StandardOpenOption.WRITE)) {
            channel.truncate(1000);
        }
        PartitionLog reopened = open();
        reopened.restore(snapshot);
        assertThat(reopened.endOffset()).isEqualTo(snapshot.endOffset());
        assertThat(reopened.damagedRanges()).containsExactly(new DamagedRange(9000, 10_000));
        append(reopened, 100, 110);
        List<String> rest = expected(0, 110);
        rest.subList(90, 100).clear();
        assertThat(withoutZeros(reopened)).isEqualTo(rest);
    }

    @Test
    void shouldFindDamagedMessages() throws Exception {
        PartitionLog log = open();
        append(log, 0, 30);
        Path file = root.resolve("topic/0/" + "0".repeat(20) + ".log");
        byte[] bytes = Files.readAllBytes(file);
        bytes[5 * MESSAGE_BYTES + 50] ^= 1; // a body
        bytes[9 * MESSAGE_BYTES] ^= 1; // a length
        Files.write(file, bytes);
        List<Long> ids = new ArrayList<>();
        List<DamagedRange> damaged =
                MessageScan.check(Storage.disk(), file, Long.MAX_VALUE, (position, id, flag, body) -> ids.add(id));
        assertThat(damaged).containsExactly(new DamagedRange(500, 600), new DamagedRange(900, 1000));
        assertThat(ids).hasSize(28).doesNotContain(5L, 9L);
    }

    @Test
    void shouldFindGoodMessagesAgainBehindBytesThatAreNone() throws Exception {
        PartitionLog log = open();
        append(log, 0, 30);
        Path file = root.resolve("topic/0/" + "0".repeat(20) + ".log");
        byte[] bytes = Files.readAllBytes(file);
        new java.util.Random(3).nextBytes(bytes);
        byte[] good = Messages.message(77, "found").array();
        System.arraycopy(good, 0, bytes, 2111, good.length);
        Files.write(file, bytes);
        List<Long> ids = new ArrayList<>();
        List<DamagedRange> damaged =
                MessageScan.check(Storage.disk(), file, Long.MAX_VALUE, (position, id, flag, body) -> ids.add(id));
        assertThat(ids).containsExactly(77L);
        assertThat(damaged)
                .containsExactly(new DamagedRange(0, 2111), new DamagedRange(2111 + good.length, bytes.length));
    }

    @Test
    void shouldCheckTheMessagesWhileServingThem() throws Exception {
        PartitionLog log = open();
        append(log, 0, 100);
        assertThat(log.verify()).isEmpty();
        Path second = root.resolve("topic/0/" + String.format("%020d.log", PER_SEGMENT * MESSAGE_BYTES));
        byte[] bytes = Files.readAllBytes(second);
        bytes[2 * MESSAGE_BYTES + 30] ^= 4;
        Files.write(second, bytes);
        long damagedAt = (PER_SEGMENT + 2L) * MESSAGE_BYTES;
        DamagedRange damage = new DamagedRange(damagedAt, damagedAt + MESSAGE_BYTES);
        assertThat(log.verify()).containsExactly(damage);
        log.setAside(damage, root.resolve("attic"));
        assertThat(log.verify()).isEmpty();
    }

    @Test
    void shouldKeepFewFilesOpen() throws Exception {
        List<PartitionLog> logs = new ArrayList<>();
        for (int p = 0; p < 40; p++) {
            logs.add(PartitionLog.open(
                    root.resolve("many/" + p), PartitionLogConfig.ofSegmentBytes(SEGMENT_BYTES), files));
        }
        for (int round = 0; round < 3; round++) {
            for (PartitionLog log : logs) {
                append(log, round * 10, round * 10 + 10);
            }
        }
        assertThat(files.open()).isEqualTo(10);
        for (PartitionLog log : logs) {
            log.sync();
            assertThat(Messages.texts(Messages.read(log, 0, log.endOffset()))).isEqualTo(expected(0, 30));
        }
        assertThat(files.open()).isEqualTo(10);
        files.close();
        assertThat(files.open()).isZero();
    }

    @Test
    void shouldCountTheMessagesBeforeAnyOffset() throws IOException {
        PartitionLog log = open();
        log.restore(PartitionSnapshot.EMPTY);
        append(log, 0, 300);
        log.trimBefore(60L * MESSAGE_BYTES, Disposal.DELETE);
        int first = (int) (log.startOffset() / MESSAGE_BYTES);
        assertThat(first).isEqualTo(PER_SEGMENT);
        for (int i = first; i <= 300; i++) {
            assertThat(log.messagesBefore(i * (long) MESSAGE_BYTES)).isEqualTo(i);
        }
        assertThat(log.end()).isEqualTo(new MessageLog.End(300L * MESSAGE_BYTES, 300));
        PartitionSnapshot snapshot = log.snapshot();
        log.close();
        PartitionLog again = open();
        again.restore(snapshot);
        assertThat(again.messagesBefore(123L * MESSAGE_BYTES)).isEqualTo(123);
        assertThat(again.messagesBefore(again.startOffset())).isEqualTo(first);
        assertThatIllegalArgumentException().isThrownBy(() -> again.messagesBefore(0));
    }
}
