package io.metaq.testkit.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.log.checkpoint.CheckpointStore;
import io.metaq.log.file.StorageFullException;
import io.metaq.log.partition.LogSlice;
import io.metaq.log.partition.OpenFiles;
import io.metaq.log.partition.PartitionLog;
import io.metaq.log.partition.PartitionLogConfig;
import io.metaq.log.partition.PartitionSnapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PartitionFaultsTest {

    private static final Path DIRECTORY = Path.of("/data/partitions/t/0");
    private static final Path CHECKPOINTS = Path.of("/data/checkpoint");

    private static PartitionLog open(SimulatedStorage storage) throws IOException {
        return PartitionLog.open(DIRECTORY, PartitionLogConfig.ofSegmentBytes(2048), new OpenFiles(storage, 3));
    }

    private static void append(PartitionLog log, int from, int to) throws IOException {
        for (int i = from; i < to; i++) {
            log.append(LogToolsTest.message(i, "message " + i + " " + "x".repeat(i % 90)), 1, i);
        }
    }

    private static byte[] read(PartitionLog log) throws IOException {
        ByteBuffer all = ByteBuffer.allocate((int) (log.endOffset() - log.startOffset()));
        for (long at = log.startOffset(); at < log.endOffset(); ) {
            LogSlice slice = log.slice(at, 1 << 20);
            ByteBuffer part = ByteBuffer.allocate(slice.length());
            slice.read(part, 0);
            all.put(part.flip());
            at = slice.nextOffset();
            slice.release();
        }
        return all.array();
    }

    @Test
    void shouldKeepWhatDidNotFitAndWriteItOnceThereIsRoom() throws Exception {
        SimulatedStorage storage = new SimulatedStorage();
        PartitionLog log = open(storage);
        append(log, 0, 50);
        log.flush();
        long readable = log.endOffset();
        storage.faults().capacity(storage.used() + 100);
        ByteBuffer reused = LogToolsTest.message(50, "message 50 " + "x".repeat(50));
        log.append(reused, 1, 50);
        append(log, 51, 120);
        assertThatThrownBy(log::flush).isInstanceOf(StorageFullException.class);
        Arrays.fill(reused.array(), (byte) 0); // its owner has it back
        assertThat(log.hasUnwritten()).isTrue();
        assertThat(log.endOffset()).isEqualTo(readable);
        assertThat(log.messageCount()).isEqualTo(50);
        assertThatThrownBy(log::snapshot).isInstanceOf(StorageFullException.class);
        append(log, 120, 130);
        assertThatThrownBy(log::flush).isInstanceOf(StorageFullException.class);
        storage.faults().capacity(1 << 20);
        log.flush();
        assertThat(log.hasUnwritten()).isFalse();

        PartitionLog other = PartitionLog.open(
                Path.of("/data/partitions/t/1"), PartitionLogConfig.ofSegmentBytes(2048), new OpenFiles(storage, 3));
        append(other, 0, 130);
        other.flush();
        assertThat(read(log)).isEqualTo(read(other));
        assertThat(log.messageCount()).isEqualTo(130);
    }

    @Test
    void shouldSyncAllOfItAfterASyncThatFoundNoRoomForAnIndex() throws Exception {
        SimulatedStorage storage = new SimulatedStorage();
        PartitionLog log = open(storage);
        append(log, 0, 200);
        log.flush();
        byte[] written = read(log);
        storage.faults()
                .onWrite(path -> path.toString().endsWith(".time") ? new StorageFullException("no room") : null);
        assertThatThrownBy(log::sync).isInstanceOf(StorageFullException.class);
        storage.faults().onWrite(path -> null);
        log.sync();
        PartitionSnapshot snapshot = log.snapshot();
        PartitionLog after = open(storage.powerCut(new Random(1)));
        after.restore(snapshot);
        assertThat(after.damagedRanges()).isEmpty();
        assertThat(read(after)).isEqualTo(written);
    }

    @Test
    void shouldBeWhatTheCheckpointSaysAfterAPowerCutAtAnySync() throws Exception {
        for (int k = 1; k <= 40; k++) {
            for (long seed = 0; seed < 5; seed++) {
                cutPower(k, new Random(seed * 100 + k));
            }
        }
    }

    private static void cutPower(int k, Random random) throws Exception {
        SimulatedStorage storage = new SimulatedStorage();
        CheckpointStore checkpoints = new CheckpointStore(CHECKPOINTS, storage);
        PartitionLog log = open(storage);
        storage.faults().powerOffAtSync(k);
        try {
            for (int i = 0; i < 300; i += 10) {
                append(log, i, i + 10);
                log.flush();
                if (random.nextInt(4) == 0) {
                    ByteBuffer state = ByteBuffer.allocate(PartitionSnapshot.BYTES);
                    log.snapshot().writeTo(state);
                    log.sync();
                    checkpoints.write(i + 10, state.flip());
                }
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("power is off");
        }
        SimulatedStorage survivor = storage.powerCut(random);
        PartitionLog reopened = open(survivor);
        var newest = new CheckpointStore(CHECKPOINTS, survivor).readNewest();
        int done = newest.map(checkpoint -> (int) checkpoint.position()).orElse(0);
        reopened.restore(newest.map(checkpoint -> PartitionSnapshot.readFrom(checkpoint.payload()))
                .orElse(PartitionSnapshot.EMPTY));
        assertThat(reopened.damagedRanges()).isEmpty();
        assertThat(reopened.messageCount()).isEqualTo(done);
        append(reopened, done, 300);
        reopened.flush();
        PartitionLog expected = open(new SimulatedStorage());
        append(expected, 0, 300);
        expected.flush();
        assertThat(read(reopened)).isEqualTo(read(expected));
        assertThat(reopened.messageCount()).isEqualTo(300);
        assertThat(reopened.offsetForTime(150)).isEqualTo(expected.offsetForTime(150));
    }
}
