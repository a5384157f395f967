package io.metaq.log.journal;

import io.metaq.log.file.Storage;
import io.metaq.log.file.StorageFullException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The journal: an ordered list of records in segment files, written by one thread, addressed by positions that only grow.
 * docs/log-format.md has the bytes.
 *
 * <p>Life: {@link #open}, {@link #replay}, {@link #start}, {@link #close}. What it promises:
 *
 * <ul>
 *   <li>a proposal is completed after its record is as durable as it asked for, applied and readable;
 *   <li>records are applied in the order of their positions, after a restart in the same order again;
 *   <li>a restart gives all records up to some position, at least all that were durable, or is refused;
 *   <li>an error of the disk, other than that it is full, ends the journal: nothing more is written or answered.
 * </ul>
 */
public final class Journal implements AutoCloseable {

    private static final Logger LOG = System.getLogger(Journal.class.getName());

    private final JournalConfig config;
    private final Storage storage;
    private final SegmentChain chain;
    private final SegmentPool pool;
    private final Flusher flusher;
    private final ProposalQueue queue;
    private final AtomicBoolean closed = new AtomicBoolean();
    private boolean replayed;
    private volatile @Nullable JournalWriter writer;
    private volatile @Nullable BackgroundFlush background;

    private Journal(JournalConfig config, Storage storage, SegmentChain chain) {
        this.config = config;
        this.storage = storage;
        this.chain = chain;
        this.pool = new SegmentPool(config, storage, this::fail);
        this.flusher = new Flusher(storage, config.directory());
        this.queue = new ProposalQueue(config.maxQueuedBytes());
    }

    /** Opens the journal of a directory, which is created when it is missing. Reads no records yet. */
    public static Journal open(JournalConfig config, Storage storage) throws IOException {
        Journal journal = new Journal(config, storage, SegmentChain.open(config, storage));
        journal.pool.open();
        return journal;
    }

    /** True when there are no segments: a new journal, or one whose files were taken away. */
    public boolean isEmpty() {
        return chain.isEmpty();
    }

    /**
     * Recovers: applies all records from {@code fromPosition} on, cuts off a torn tail and makes all that was applied
     * durable.
     *
     * @param fromPosition position of a checkpoint, 0 without one
     * @throws JournalDamagedException when durable records cannot be read; nothing on the disk was changed
     */
    public void replay(long fromPosition, StateMachine state) throws IOException {
        chain.dropUnfinished();
        if (chain.isEmpty()) {
            if (fromPosition > 0) {
                throw new JournalDamagedException(config.directory(), 0, fromPosition, "there are no journal segments");
            }
            chain.create(pool);
        }
        Recovery recovery = new Recovery(config, chain);
        Segment last = recovery.replay(fromPosition, state);
        if (recovery.epoch() > config.epoch()) {
            throw new IOException("the journal was written under epoch " + recovery.epoch() + ", this broker has epoch "
                    + config.epoch());
        }
        long end = recovery.position();
        LaterRecords later = recovery.later(last);
        if (later.syncedTo() > end) {
            throw new JournalDamagedException(last.path(), last.filePosition(end), end, "durable records are damaged");
        }
        new TornTail(config, storage, chain).cut(last, end, later);
        extend(last);
        recovery.makeDurable(last);
        storage.syncDirectory(config.directory());
        flusher.begin(last, end);
        replayed = true;
    }

    private static void extend(Segment last) throws IOException {
        try {
            last.extend();
        } catch (StorageFullException e) {
            LOG.log(
                    Level.WARNING,
                    "{0} is shorter than a segment and cannot be extended now: {1}",
                    last,
                    e.getMessage());
        }
    }

    /** Starts the threads: "journal-writer", which drives {@code state}, "journal-flusher" and "journal-preparer". */
    public void start(StateMachine state, FatalErrorListener listener) {
        if (!replayed) {
            throw new IllegalStateException("replay comes before start");
        }
        // the flusher's callbacks come once the writer below is known
        BackgroundFlush flush = new BackgroundFlush(flusher, config.flushIntervalMs(), this::requestMark, this::fail);
        JournalWriter.Parts parts = new JournalWriter.Parts(chain, pool, flusher, flush, queue);
        JournalWriter started = new JournalWriter(config, parts, state, flusher.written(), listener);
        writer = started;
        background = flush;
        pool.start();
        flush.start();
        started.start();
    }

    private void requestMark() {
        writer().requestMark();
    }

    private void fail(Throwable cause) {
        JournalWriter running = writer;
        if (running != null) {
            running.fail(cause);
        }
    }

    private JournalWriter writer() {
        return Objects.requireNonNull(writer, "the journal was not started");
    }

    /**
     * Queues a proposal; never blocks.
     *
     * @return false when too many bytes wait already: nothing was queued, the caller holds its sender back
     * @throws JournalClosedException when the journal was closed or failed
     * @throws IllegalArgumentException when the body is longer than {@link #maxBodyBytes()}
     */
    public boolean offer(Proposal proposal) {
        if (proposal.bodyLength() > maxBodyBytes()) {
            throw new IllegalArgumentException("a record of " + proposal.bodyLength()
                    + " bytes does not fit into a journal segment, the limit is " + maxBodyBytes());
        }
        JournalWriter target = writer();
        switch (queue.offer(proposal)) {
            case FIRST -> target.wake();
            case ADDED -> {} // whoever made the queue non-empty has woken the writer
            case FULL -> {
                return false;
            }
            case CLOSED -> throw closedException(target.failure());
        }
        return true;
    }

    private static JournalClosedException closedException(@Nullable Throwable cause) {
        String why = cause == null ? "the journal was closed" : "the journal failed: " + cause.getMessage();
        return new JournalClosedException(why, cause);
    }

    /** Most bytes that the body of a record may have. */
    public int maxBodyBytes() {
        return config.segmentBytes() - SegmentFormat.HEADER_BYTES - RecordFormat.HEADER_BYTES;
    }

    /** Bytes of the proposals that were offered and not completed yet, headers included. */
    public long queuedBytes() {
        return queue.bytes();
    }

    /** Position after the last record written. */
    public long endPosition() {
        return flusher.written();
    }

    /** Everything before this position survives a power cut. */
    public long durablePosition() {
        return flusher.durable();
    }

    /** Makes everything durable that was written before the call; blocks. Any thread. */
    public void sync() throws IOException {
        try {
            flusher.sync();
        } catch (IOException e) {
            fail(e);
            throw e;
        }
    }

    /** True while the disk has no room for another segment: only essential proposals are taken. */
    public boolean full() {
        return pool.full();
    }

    /** Gives the segments that lie wholly before {@code position}, and before what is durable, to the free pool. */
    public void recycleBefore(long position) throws IOException {
        for (Segment segment : chain.removeBefore(Math.min(position, flusher.durable()))) {
            pool.recycle(segment);
        }
    }

    /** Deletes free segments until {@code keep} are left, to make room on a full disk. */
    public void releaseFreeSegments(int keep) throws IOException {
        pool.release(keep);
    }

    /** Runs a task on the writer thread between two batches. An exception from it stops the journal. */
    public void execute(Runnable task) {
        JournalWriter target = writer();
        if (closed.get() || target.failure() != null) {
            throw closedException(target.failure());
        }
        target.execute(task);
    }

    /**
     * Writes and completes what is queued, syncs, ends the threads. After a failure, which the listener was told, it only
     * ends them.
     */
    @Override
    public void close() throws IOException {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        JournalWriter running = writer;
        if (running != null) {
            running.close();
            BackgroundFlush.joinUnlessSelf(running.thread());
        }
        BackgroundFlush flush = background;
        if (flush != null) {
            flush.close();
        }
        pool.close();
        chain.close();
    }
}
