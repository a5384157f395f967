package io.metaq.log.journal;

import io.metaq.log.file.StorageFullException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The one thread that writes the journal. A round: take all that waits, write it, sync once if a record asks for it,
 * apply, complete. What arrives meanwhile is the next round, so batches grow with the load and a lone record never waits
 * for company.
 */
final class JournalWriter implements Runnable {

    private static final Logger LOG = System.getLogger(JournalWriter.class.getName());

    private final JournalConfig config;
    private final SegmentChain chain;
    private final SegmentPool pool;
    private final Flusher flusher;
    private final BackgroundFlush background;
    private final StateMachine state;
    private final ProposalQueue queue;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Batch batch;
    private final Company company = new Company();
    private final FatalErrorListener listener;

    private Segment segment;
    private long end;

    /** What was taken from the queue and is not part of a batch yet, linked. */
    private @Nullable Proposal pending;

    /** How many records of the batch were completed. */
    private int answered;

    private boolean lastIsMark;

    /** Where bytes of a batch may stand that was answered as failed; they have to go before anything else is written. */
    private long eraseTo;

    private volatile boolean sleeping;
    private volatile boolean closing;
    private volatile boolean markWanted;
    private volatile @Nullable Throwable failure;
    private volatile @Nullable Thread thread;

    /** What the writer works with. */
    record Parts(
            SegmentChain chain, SegmentPool pool, Flusher flusher, BackgroundFlush background, ProposalQueue queue) {}

    JournalWriter(JournalConfig config, Parts parts, StateMachine state, long end, FatalErrorListener listener) {
        this.config = config;
        this.chain = parts.chain();
        this.pool = parts.pool();
        this.flusher = parts.flusher();
        this.background = parts.background();
        this.queue = parts.queue();
        this.state = state;
        this.end = end;
        this.listener = listener;
        this.segment = chain.last();
        this.batch = new Batch(config.maxBatchBytes(), chain.salt(), config.epoch());
    }

    void start() {
        Thread writer = new Thread(this, "journal-writer");
        thread = writer;
        writer.start();
    }

    @Nullable
    Thread thread() {
        return thread;
    }

    void execute(Runnable task) {
        tasks.add(task);
        wake();
    }

    /** Ends the thread after everything queued was written. */
    void close() {
        closing = true;
        wake();
    }

    /** Asks for a record that tells recovery how far the journal is durable. */
    void requestMark() {
        markWanted = true;
        wake();
    }

    /** Ends the thread without writing anything more. */
    void fail(Throwable cause) {
        if (failure == null) {
            failure = cause;
        }
        wake();
    }

    @Nullable
    Throwable failure() {
        return failure;
    }

    void wake() {
        if (sleeping) {
            LockSupport.unpark(thread);
        }
    }

    @Override
    public void run() {
        try {
            while (!closing) {
                round();
            }
            finish();
        } catch (Throwable t) {
            fail(t);
            stop(t);
        }
    }

    private void round() throws IOException, InterruptedException {
        checkFailure();
        runTasks();
        if (!queue.isEmpty()) {
            company.await(queue);
        }
        Proposal oldest = queue.takeAll();
        if (oldest != null) {
            writeAll(oldest);
        } else if (state.proceed()) {
            Thread.onSpinWait(); // there is more: look for proposals before it
        } else if (markWanted) {
            markWanted = false;
            writeMark();
        } else {
            sleep();
        }
    }

    private void checkFailure() throws IOException {
        Throwable cause = failure;
        if (cause != null) {
            throw new IOException("the journal failed: " + cause.getMessage(), cause);
        }
    }

    private void runTasks() {
        Runnable task;
        while ((task = tasks.poll()) != null) {
            task.run();
        }
    }

    /** Whoever puts something in after the flag is up sees it, whoever did before is seen by the checks after it. */
    private void sleep() {
        sleeping = true;
        if (queue.isEmpty() && tasks.isEmpty() && !closing && !markWanted && failure == null) {
            LockSupport.park(this);
        }
        sleeping = false;
    }

    private void writeAll(Proposal oldest) throws IOException, InterruptedException {
        pending = oldest;
        try {
            while (pending != null) {
                writeBatch();
            }
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            failBatch(e);
            failAll(pending, e);
            pending = null;
            throw e;
        }
    }

    private void writeBatch() throws IOException, InterruptedException {
        batch.begin(end);
        answered = 0;
        if (eraseTo > end && !erase()) {
            Proposal first = next();
            refuse(first, new StorageFullException(segment + ": the disk has no room"));
            return;
        }
        try {
            fill();
            if (batch.count() > 0) {
                write();
                complete();
            }
        } catch (StorageFullException e) {
            failBatch(e);
        }
    }

    /** Puts proposals into the batch until it, the segment or the list is at its end. */
    private void fill() throws IOException, InterruptedException {
        long durable = flusher.durable();
        while (pending != null) {
            int bodyLength = pending.bodyLength();
            if (pool.full() && !pending.essential()) {
                refuse(next(), fullDisk());
            } else if (!batch.accepts(bodyLength)) {
                return;
            } else if (batch.end() + RecordFormat.HEADER_BYTES + bodyLength <= segment.limit()) {
                batch.add(next(), durable);
            } else if (batch.count() > 0) {
                return;
            } else if (!roll()) {
                refuse(next(), fullDisk());
            }
        }
    }

    /** Takes the first proposal off the list. */
    private Proposal next() {
        Proposal first = Objects.requireNonNull(pending);
        pending = first.next;
        first.next = null;
        return first;
    }

    private StorageFullException fullDisk() {
        return new StorageFullException(config.directory() + ": the disk has no room for another journal segment");
    }

    /** Goes on in a new segment; false when the disk has no room for one. */
    private boolean roll() throws IOException, InterruptedException {
        Path file = pool.take();
        if (file == null) {
            checkFailure();
            return false;
        }
        Segment next = chain.begin(file, end);
        flusher.rolled(next);
        segment = next;
        eraseTo = 0;
        background.kick();
        return true;
    }

    private void write() throws IOException {
        long at = segment.filePosition(end);
        int n = batch.seal(at);
        long after = Math.min(batch.end() + SegmentFormat.BLOCK_BYTES, segment.limit());
        try {
            segment.file().write(batch.buffers(), n, at);
        } catch (StorageFullException e) {
            eraseTo = after;
            throw e;
        }
        end = batch.end();
        lastIsMark = false;
        flusher.written(end);
        company.written(batch.count(), batch.wantsSync() ? timedSync() : 0);
        checkFailure();
    }

    private long timedSync() throws IOException {
        long begin = System.nanoTime();
        flusher.sync();
        return System.nanoTime() - begin;
    }

    private void complete() throws IOException {
        for (int i = 0; i < batch.count(); i++) {
            Proposal proposal = batch.proposal(i);
            state.apply(proposal.position(), config.epoch(), proposal.type(), batch.body(i), proposal);
        }
        state.endOfBatch(end);
        while (answered < batch.count()) {
            Proposal proposal = batch.proposal(answered++);
            long size = ProposalQueue.sizeOf(proposal);
            committed(proposal);
            queue.release(size);
        }
        batch.begin(end);
        state.batchAnswered();
        state.proceed();
    }

    private static void committed(Proposal proposal) {
        try {
            proposal.committed();
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "the completion of record " + proposal.position() + " failed", e);
        }
    }

    /** The records of a failed batch must not be found by recovery; until they are gone nothing else is written. */
    private boolean erase() throws IOException {
        try {
            segment.erase(end, eraseTo);
            eraseTo = 0;
            return true;
        } catch (StorageFullException e) {
            LOG.log(Level.DEBUG, "still no room in {0}", segment);
            return false;
        }
    }

    private void failBatch(Throwable cause) {
        for (int i = answered; i < batch.count(); i++) {
            refuse(batch.proposal(i), cause);
        }
        batch.begin(end);
    }

    private void refuse(Proposal proposal, Throwable cause) {
        queue.release(ProposalQueue.sizeOf(proposal));
        Throwable told = cause instanceof StorageFullException
                ? cause
                : new JournalClosedException("the journal failed: " + cause.getMessage(), cause);
        try {
            proposal.failed(told);
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "the completion of a failed record failed", e);
        }
    }

    private void failAll(@Nullable Proposal first, Throwable cause) {
        Proposal at = first;
        while (at != null) {
            Proposal next = at.next;
            at.next = null;
            refuse(at, cause);
            at = next;
        }
    }

    /**
     * A record that only says how far the journal is durable. With it behind them, damage to the last real records
     * cannot be taken for a torn tail.
     */
    private void writeMark() throws IOException {
        if (lastIsMark
                || flusher.durable() != end
                || eraseTo > end
                || end + RecordFormat.HEADER_BYTES > segment.limit()) {
            return;
        }
        ByteBuffer mark = Marks.mark(end, flusher.durable(), config.epoch(), chain.salt());
        try {
            segment.file().write(mark, segment.filePosition(end));
        } catch (StorageFullException e) {
            eraseTo = end + RecordFormat.HEADER_BYTES;
            return;
        }
        end += RecordFormat.HEADER_BYTES;
        lastIsMark = true;
        flusher.written(end);
        state.endOfBatch(end); // so that a checkpoint taken now stands behind the mark
    }

    private void finish() throws IOException, InterruptedException {
        Proposal rest = queue.close();
        if (rest != null) {
            writeAll(rest);
        }
        runTasks();
        while (state.proceed()) {
            Thread.onSpinWait();
        }
        if (eraseTo > end && !erase()) {
            LOG.log(Level.WARNING, "{0}: records that were refused may be found by the next start", segment);
        }
        flusher.sync();
        writeMark();
        flusher.sync();
    }

    /** Nothing is written any more; all who wait are told. */
    private void stop(Throwable cause) {
        LOG.log(Level.ERROR, "the journal stops", cause);
        failAll(queue.close(), cause);
        listener.journalFailed(cause);
    }
}
