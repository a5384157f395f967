package io.metaq.log.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What the journal drives. All calls come from one thread at a time: the caller of {@link Journal#replay} first, the
 * journal's writer thread later.
 *
 * <p>An exception from any of these methods stops the journal for good: state that is half changed must not go on.
 */
public interface StateMachine {

    /**
     * A record, in journal order.
     *
     * @param position where the record begins in the journal
     * @param epoch the leadership under which it was written
     * @param type kind of record, never 0
     * @param body the record's body in one piece, big endian. The buffer object is reused for the next record, the
     *     memory under it stays as it is until {@link #endOfBatch} returned. Null only for a live record so large that
     *     its parts were written without being copied together: then the proposal has them
     * @param proposal who waits for the record; null during replay
     */
    void apply(long position, int epoch, byte type, @Nullable ByteBuffer body, @Nullable Proposal proposal)
            throws IOException;

    /**
     * All records before {@code position} were applied. What was staged is written and made readable here; the
     * proposals are completed after this returned.
     */
    void endOfBatch(long position) throws IOException;

    /**
     * Does a small part of what was put off so that nobody has to wait for the whole of it. Called between batches, and again and
     * again while nothing else is to do.
     *
     * @return whether there is more that can be done now
     */
    default boolean proceed() throws IOException {
        return false;
    }

    /** The proposals of the batch were completed: the place to wake up whoever sends the answers. */
    default void batchAnswered() {}
}
