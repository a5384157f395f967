package io.metaq.client;

import java.time.Duration;

/** Plain pulls from one partition, without group and without stored offsets. Not for use by several threads at once. */
public interface Puller extends AutoCloseable {

    /** The partition that is read. */
    TopicPartition partition();

    /**
     * Fetches whole messages.
     *
     * <p>An offset before the oldest or behind the newest message is moved as the broker says; {@link FetchedBatch#offset()} then
     * tells where the batch really begins. A message bigger than {@code maxBytes} is fetched with a bigger size, up to
     * {@link MetaqClientBuilder#maxFetchBytes}.
     *
     * @param offset beginning of a message
     * @param maxBytes size to ask for
     * @param wait how long the broker may hold the request at the end of the log; 1.4 brokers answer at once
     * @return empty at the end of the log; close it when its messages are no longer used
     * @throws MetaqException also for a damaged message: {@link CorruptMessageException#nextOffset()}
     */
    FetchedBatch fetch(long offset, int maxBytes, Duration wait);

    /** Byte position for a start; asks the broker where needed. */
    long offsetOf(Start start);

    /** Stops an outstanding fetch with {@link ClientClosedException}. */
    @Override
    void close();
}
