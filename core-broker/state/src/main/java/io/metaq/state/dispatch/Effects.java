package io.metaq.state.dispatch;

import io.metaq.state.subscription.MessageRanges;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What a dispatch asks of the world. Completions run on the dispatch's thread, never inside the call that asked for
 * them.
 */
public interface Effects {
    /** Told of the end of what was asked. */
    @FunctionalInterface
    interface Completion {
        /** @param failure why it was not done, null when it was */
        void done(@Nullable Throwable failure);
    }

    /** The time now, in milliseconds since 1970. */
    long nowMs();

    /** What holds for the destination now. */
    RedeliveryPolicy policy();

    /** Runs {@code task} on the dispatch's thread, after what is going on there now. Any thread. */
    void soon(Runnable task);

    /** The same, told by whoever moved the end of a log, on his thread: there may be a better moment than now. */
    default void advanced(Runnable task) {
        soon(task);
    }

    /** The same when the clock shows {@code timeMs}, not earlier; the result takes it back. */
    Runnable at(long timeMs, Runnable task);

    /** Messages are done with: to be told to the subscription's cursors. The ranges are the receiver's from now on. */
    void acknowledge(MessageRanges ranges, Completion completion);

    /**
     * Messages came back after a delivery that counts.
     *
     * @param offsets where they begin, ascending
     * @param notBeforeMs for each when it may be delivered again; 0 for at once
     */
    void returned(int partition, long[] offsets, long[] notBeforeMs);

    /** What lies before {@code offset} may have been delivered: to be kept before it is. */
    void mark(int partition, long offset, Completion completion);

    void move(Move move, Completion completion);

    /** Messages ran out before anybody took them. For the counters. */
    default void expired(int messages) {}

    /** Nobody is attached any more, and nothing is under way. */
    default void idle() {}

    /** A partition log could not be read; the dispatch tries again later. */
    void unreadable(int partition, IOException cause);
}
