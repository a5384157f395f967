package io.metaq.client;

/**
 * The messages of one fetch, all whole and with checked checksums. They point into a pooled buffer: use them, take
 * {@link Message#data()} of what has to stay, then close the batch.
 */
public interface FetchedBatch extends Iterable<Message>, AutoCloseable {

    /** The partition that was read. */
    TopicPartition partition();

    /** Where the batch begins: the offset that was asked for, or where the broker moved it. */
    long offset();

    /** Where the next fetch has to begin. Known before any message is looked at. */
    long nextOffset();

    /** Number of messages. */
    int count();

    /** Whether there is no message: the end of the log. */
    default boolean isEmpty() {
        return count() == 0;
    }

    /** Size of the messages with their headers. */
    int bytes();

    /** Gives the buffer back; its messages can no longer be read. */
    @Override
    void close();
}
