package io.metaq.log.journal;

import io.metaq.log.file.Storage;
import java.io.IOException;

/** The journal. */
public final class Journal implements AutoCloseable {

    private Journal() {}

    /** Opens the journal or creates an empty one. */
    public static Journal open(JournalConfig config, Storage storage) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Recovers, applying all records from {@code fromPosition} on; ends with one endOfBatch per batch read. */
    public void replay(long fromPosition, StateMachine state) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Starts the writer thread "journal-writer" and the background threads. */
    public void start(StateMachine state, FatalErrorListener listener) {
        throw new UnsupportedOperationException();
    }

    /**
     * Queues a proposal.
     *
     * @return false when too many bytes wait already
     * @throws JournalClosedException when closed or failed
     * @throws IllegalArgumentException when the body is longer than {@link #maxBodyBytes()}
     */
    public boolean offer(Proposal proposal) {
        throw new UnsupportedOperationException();
    }

    /** Most bytes a body may have. */
    public int maxBodyBytes() {
        throw new UnsupportedOperationException();
    }

    /** Bytes of the proposals that wait. */
    public long queuedBytes() {
        throw new UnsupportedOperationException();
    }

    /** Position after the last record written. */
    public long endPosition() {
        throw new UnsupportedOperationException();
    }

    /** Everything before this position survives a power cut. */
    public long durablePosition() {
        throw new UnsupportedOperationException();
    }

    /** Makes everything written so far durable; blocks. Any thread. */
    public void sync() throws IOException {
        throw new UnsupportedOperationException();
    }

    /** True while there is no room for another segment: only essential proposals are taken. */
    public boolean full() {
        throw new UnsupportedOperationException();
    }

    /** Gives the segments that lie wholly before {@code position} to the free pool. */
    public void recycleBefore(long position) {
        throw new UnsupportedOperationException();
    }

    /** Deletes free segments beyond {@code keep}, to make room on a full disk. */
    public void releaseFreeSegments(int keep) {
        throw new UnsupportedOperationException();
    }

    /** Runs a task on the writer thread between two batches. An exception of the task stops the journal. */
    public void execute(Runnable task) {
        throw new UnsupportedOperationException();
    }

    /** Writes what is queued, syncs, ends the threads. */
    @Override
    public void close() throws IOException {
        throw new UnsupportedOperationException();
    }
}
