package io.metaq.client.subscription;

import io.metaq.protocol.Ranges;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A consumer on its subscription. A message that was delivered is leased to it until it is acknowledged, rejected, released, or the
 * consumer is gone. Any thread may call; nothing blocks.
 */
public interface AttachedConsumer {

    /** Chosen by the client, unique in its connection, the same after a reconnect. */
    int id();

    /** The subscription's name. */
    String subscription();

    /**
     * Lets the broker deliver so much more. Additions of one moment are sent as one.
     *
     * @param messages how many
     * @param bytes how many; the last message may go beyond it
     */
    void credit(int messages, int bytes);

    /**
     * Delivers now at most so many of the messages that are ready, and takes back all credit. Completes behind the deliveries.
     *
     * @param messages 0 just takes the credit back
     * @return how many were delivered for this; 0 if the connection was lost meanwhile
     */
    CompletableFuture<Integer> drain(int messages);

    /** Acknowledges without an answer. Those of one moment are sent as one. */
    void acknowledge(Ranges ranges);

    /**
     * Acknowledges, and tells when it is kept. Repeated after a lost connection.
     *
     * @return how many of the messages were not this consumer's to acknowledge any more
     */
    CompletableFuture<Integer> acknowledgeAndWait(Ranges ranges);

    /**
     * Says that the processing of these failed: they come again, counted, or go to the dead letters.
     *
     * @param delayMs how long until they come again; -1 leaves it to the destination's policy
     */
    CompletableFuture<@Nullable Void> reject(Ranges ranges, long delayMs);

    /** Gives back what the application never saw: as if it had not been delivered. */
    CompletableFuture<@Nullable Void> release(Ranges ranges);

    /**
     * Ends the consumer.
     *
     * @param delivered what the application saw and did not acknowledge; the rest is given back as never delivered
     */
    CompletableFuture<@Nullable Void> detach(Ranges delivered);
}
