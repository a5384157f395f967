package io.metaq.state.dispatch;

import java.nio.ByteBuffer;

/** Where the messages of one attached consumer go. Called on the dispatch's thread; must not block. */
public interface Recipient {
    /**
     * Whether it takes more now. One that said no calls {@link Dispatch#wake()} (on the dispatch's thread) when that
     * changes.
     */
    boolean writable();

    /**
     * Whole stored messages, contiguous in the log.
     *
     * @param offset byte offset of the first in its partition
     * @param count how many they are
     * @param deliveryCount which delivery this is for each of them, 1 for the first
     * @param run the messages from position to limit; valid during the call only
     */
    void deliver(int partition, long offset, int count, int deliveryCount, ByteBuffer run);

    /** The dispatch ended its attachment: the destination was deleted, an operator said so. */
    void detached(String reason);

    /** Who it is, for an operator's eyes. */
    @Override
    String toString();
}
