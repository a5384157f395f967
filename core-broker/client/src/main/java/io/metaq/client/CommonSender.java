package io.metaq.client;

import java.time.Duration;

/**
 * Sends that wait, of one of many clients that share connections. What clients of this process send to a partition while earlier
 * messages are on their way goes out as one batch, whoever sends it. Safe for use by many threads.
 *
 * <p>For applications with many clients whose threads each wait for one message at a time. Each has its own outcomes and its own end;
 * what they share is the batch, so that a message of one waits for as long as the others' take which it travels with. Nothing limits the
 * bytes under way but the number of threads that send.
 */
public interface CommonSender extends AutoCloseable {

    /**
     * Sends and waits for the answer.
     *
     * @param message one that says its partition, of a broker that the client has met
     * @throws MetaqException when the message is not stored, or (see {@link MetaqException#isOutcomeUnknown()}) may not be
     */
    SendResult send(Message message);

    /**
     * Waits for at most so long for the sends that are under way, then ends them with {@link ClientClosedException}. Messages that have
     * not left are taken out of their batches; of the others the outcome is unknown. Idempotent.
     */
    void close(Duration patience);

    /** The same with five seconds. */
    @Override
    void close();
}
