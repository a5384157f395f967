package io.metaq.benchmarks.jmh;

import io.metaq.log.file.Storage;
import io.metaq.log.journal.Durability;
import io.metaq.log.journal.Journal;
import io.metaq.log.journal.JournalConfig;
import io.metaq.log.journal.Proposal;
import io.metaq.log.journal.StateMachine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Records through the journal alone: {@value #RECORDS} offered at once, until the last is committed. Times are per record. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class JournalBench {

    private static final int RECORDS = 64;

    @Param({"1044", "262144"})
    public int bodyBytes;

    @Param({"OS", "DISK"})
    public Durability durability = Durability.OS;

    private final Directory directory = new Directory();
    private @Nullable Journal journal;
    private @Nullable ByteBuffer body;

    @Setup(Level.Trial)
    public void open() throws IOException {
        Journal opened = Journal.open(JournalConfig.of(directory.create().resolve("journal")), Storage.disk());
        Recycling state = new Recycling(opened);
        opened.replay(0, state);
        opened.start(state, failure -> {
            throw new IllegalStateException(failure);
        });
        journal = opened;
        body = ByteBuffer.allocateDirect(bodyBytes);
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
        if (journal != null) {
            journal.close();
        }
        directory.delete();
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public void commit() throws InterruptedException {
        Journal target = journal;
        ByteBuffer bytes = body;
        if (target == null || bytes == null) {
            throw new IllegalStateException("not open");
        }
        CountDownLatch committed = new CountDownLatch(RECORDS);
        for (int i = 0; i < RECORDS; i++) {
            Proposal record = new Record(bytes.duplicate(), durability, committed);
            while (!target.offer(record)) {
                Thread.onSpinWait();
            }
        }
        committed.await();
    }

    /** Forgets what is written, as a broker does at its checkpoints. */
    private record Recycling(Journal journal) implements StateMachine {

        private static final long EVERY_BYTES = 256L << 20;

        @Override
        public void apply(
                long position, int epoch, byte type, @Nullable ByteBuffer body, @Nullable Proposal proposal) {}

        @Override
        public void endOfBatch(long position) throws IOException {
            if (position % EVERY_BYTES < (1 << 20)) {
                journal.recycleBefore(position - EVERY_BYTES);
            }
        }
    }

    private static final class Record extends Proposal {
        private final ByteBuffer body;
        private final Durability durability;
        private final CountDownLatch committed;

        Record(ByteBuffer body, Durability durability, CountDownLatch committed) {
            this.body = body;
            this.durability = durability;
            this.committed = committed;
        }

        @Override
        public byte type() {
            return 1;
        }

        @Override
        public Durability durability() {
            return durability;
        }

        @Override
        public int bodyLength() {
            return body.capacity();
        }

        @Override
        public int body(ByteBuffer[] into, int at) {
            into[at] = body;
            return 1;
        }

        @Override
        public void committed() {
            committed.countDown();
        }

        @Override
        public void failed(Throwable cause) {
            throw new IllegalStateException(cause);
        }
    }
}
