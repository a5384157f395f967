package io.metaq.client;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Sends messages. Safe for use by many threads; one producer per application is the normal case.
 *
 * <p>What is sent while earlier messages are on their way goes out as one batch when they are answered; a lone send leaves at once.
 * Messages of one thread to one partition are stored in the order of their sends.
 */
public interface Producer extends AutoCloseable {

    /**
     * Sends and waits for the answer.
     *
     * @throws MetaqException when the message is not stored, or (see {@link MetaqException#isOutcomeUnknown()}) may not be
     */
    SendResult send(Message message);

    /**
     * Sends; the future completes on the client's network thread. Blocks while {@code maxInFlightBytes} are under way, unless
     * {@link ProducerBuilder#failFast}.
     *
     * @return fails with {@link MetaqException}; never throws it directly but for a closed client
     */
    CompletableFuture<SendResult> sendAsync(Message message);

    /** Like {@link #sendAsync} without an object per message. */
    void send(Message message, SendCallback callback);

    /** Sends without telling the outcome; failures are counted in {@link #oneWayFailures()} and logged now and then. */
    void sendOneWay(Message message);

    /** Number of one-way messages that are known to have failed. */
    long oneWayFailures();

    /** Waits until everything sent before has an outcome. Returns at once on a network thread. */
    void flush();

    /** Flushes for at most so long, fails what is left with {@link ClientClosedException}, and ends. Idempotent. */
    void close(Duration flush);

    /** Flushes for at most five seconds, fails what is left with {@link ClientClosedException}, and ends. Idempotent. */
    @Override
    void close();
}
