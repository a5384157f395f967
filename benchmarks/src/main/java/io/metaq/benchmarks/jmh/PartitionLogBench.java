package io.metaq.benchmarks.jmh;

import io.metaq.log.file.Storage;
import io.metaq.log.partition.Disposal;
import io.metaq.log.partition.LogSlice;
import io.metaq.log.partition.OpenFiles;
import io.metaq.log.partition.PartitionLog;
import io.metaq.log.partition.PartitionLogConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** One partition log: an append that becomes readable, and a slice that is read. Times are per piece of {@code bytes}. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class PartitionLogBench {

    private static final long SEGMENT_BYTES = 256L << 20;
    private static final int MESSAGE_BYTES = 1044;

    /** About so many; always whole messages. */
    @Param({"1044", "261000"})
    public int bytes;

    private final Directory directory = new Directory();
    private @Nullable OpenFiles files;
    private @Nullable PartitionLog log;
    private ByteBuffer piece = ByteBuffer.allocateDirect(0);
    private ByteBuffer into = ByteBuffer.allocateDirect(0);
    private long readAt;

    @Setup(Level.Trial)
    public void open() throws IOException {
        OpenFiles opened = new OpenFiles(Storage.disk(), OpenFiles.DEFAULT_LIMIT);
        files = opened;
        log = PartitionLog.open(
                directory.create().resolve("0"), PartitionLogConfig.ofSegmentBytes(SEGMENT_BYTES), opened);
        piece = messages();
        into = ByteBuffer.allocateDirect(bytes);
        append();
    }

    private ByteBuffer messages() {
        ByteBuffer whole = ByteBuffer.allocateDirect(bytes / MESSAGE_BYTES * MESSAGE_BYTES);
        while (whole.hasRemaining()) {
            int at = whole.position();
            whole.putInt(at, MESSAGE_BYTES - 20).position(at + MESSAGE_BYTES);
        }
        return whole.flip();
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
        log().close();
        if (files != null) {
            files.close();
        }
        directory.delete();
    }

    private PartitionLog log() {
        PartitionLog opened = log;
        if (opened == null) {
            throw new IllegalStateException("not open");
        }
        return opened;
    }

    /** Older segments are deleted now and then, so that a long trial does not fill the disk. */
    @Benchmark
    public long append() throws IOException {
        PartitionLog target = log();
        long offset = target.append(piece.duplicate(), piece.capacity() / MESSAGE_BYTES, System.currentTimeMillis());
        target.flush();
        if (offset - target.startOffset() > 4 * SEGMENT_BYTES) {
            target.trimBefore(offset - 2 * SEGMENT_BYTES, Disposal.DELETE);
        }
        return offset;
    }

    @Benchmark
    public int read() throws IOException {
        LogSlice slice = log().slice(readAt, bytes);
        if (slice == null) {
            readAt = log().startOffset();
            return 0;
        }
        try {
            readAt = slice.nextOffset();
            return slice.read(into.clear(), 0);
        } finally {
            slice.release();
        }
    }
}
