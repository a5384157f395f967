package io.metaq.state.transaction;

import io.metaq.log.file.StorageFullException;
import io.metaq.state.Outcome;
import io.metaq.state.Partition;
import io.metaq.state.subscription.MessageRanges;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** What transactions need of the rest of the state. Writer thread. */
public interface Ledger {
    /** Whether a partition takes messages now. */
    Outcome checkTarget(int topicId, int partition);

    /** Whether messages can be acknowledged now: the subscription is there, and has all of them pending. */
    Outcome checkPending(int subscriptionId, MessageRanges ranges);

    /** Locks what {@link #checkPending} found pending. */
    void lock(int subscriptionId, MessageRanges ranges);

    /** Takes a lock away and acknowledges the messages. */
    void acknowledge(int subscriptionId, MessageRanges ranges) throws IOException;

    /** Takes a lock away; the messages are pending again, each come back once more. */
    void giveBack(int subscriptionId, MessageRanges ranges) throws IOException;

    /**
     * Numbers messages and puts them into a partition; they become readable at the end of the batch. Those for a topic that is
     * gone are dropped.
     *
     * @param messages {@code count} whole stored messages, position to limit; kept until the end of the batch
     */
    void put(int topicId, int partition, ByteBuffer messages, int count, long timestampMs) throws IOException;

    /** Writes what {@link #put} gave so far, so that it takes no memory; it stays unreadable until the batch ends. */
    void write() throws IOException;

    /**
     * Takes a place in a partition for messages that {@link #fill} brings later, and numbers them. What is put behind them meanwhile
     * is not readable before {@link #show}.
     *
     * @return where; null where nothing is to be filled in: the topic is gone, or temporary
     */
    @Nullable
    Place reserve(int topicId, int partition, int count, int bytes, long timestampMs) throws IOException;

    /**
     * A place for messages.
     *
     * @param offset in the partition
     * @param firstId number of the first message
     */
    record Place(Partition partition, long offset, long firstId) {}

    /**
     * Brings messages for a place, or a part of one; unchanged until they are written. They are dropped if the topic has gone
     * meanwhile.
     *
     * @param messages whole stored messages, position to limit
     */
    void fill(Place place, ByteBuffer messages) throws IOException;

    /** A part of a place will never be filled: the messages are lost. */
    void lose(Place place, long bytes) throws IOException;

    /** Messages for a temporary topic, to be shown by {@link #show}; nothing if it is gone. */
    void fillTemporary(int topicId, ByteBuffer messages, int count, long timestampMs);

    /** All places are filled: whatever was put into, behind or together with them becomes readable at once. */
    void show() throws IOException;

    /** Whether something waits for room on the disk. */
    boolean full();

    /** Looks which messages have their payload in chunks of a companion topic. */
    void forEachLarge(ByteBuffer messages, LargeVisitor visitor);

    /** Told of each such message. */
    @FunctionalInterface
    interface LargeVisitor {
        /** @param firstChunk offset in the companion's partition from which on chunks are needed */
        void large(String companion, int partition, long firstChunk);
    }

    /** Begins, or opens, the log in which a large transaction keeps its messages. */
    Partition openStaging(long transactionId) throws IOException;

    /** Appends to such a log. The bytes must not change before the end of the batch. */
    void stage(Partition staging, ByteBuffer messages, int count, long timestampMs) throws IOException;

    /**
     * Makes all of it readable now, for nobody but the transaction reads it.
     *
     * @throws StorageFullException when there is no room: nothing is lost, and it can be tried again when there is
     */
    void flush(Partition staging) throws IOException;

    /** The transaction has ended: the log goes, its files when no checkpoint needs them. */
    void dropStaging(long transactionId, Partition staging) throws IOException;

    /**
     * What became of a producer's step with this sequence before.
     *
     * @return null when it is new
     */
    @Nullable
    TransactionOutcome resent(long producerId, long sequence);

    /** Remembers what became of a producer's step. */
    void remember(long producerId, long sequence, TransactionOutcome outcome, long timestampMs);
}
