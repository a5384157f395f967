package io.metaq.client;

/**
 * Handles consumed messages. Called on the consumer's own thread {@code metaq-consumer-<group>}, or on the executor given to
 * {@link ConsumerBuilder#executor}; never on a network thread.
 */
@FunctionalInterface
public interface MessageListener {

    /**
     * Handles one message. A message is done when this returns; it is given again after a delay when this throws or
     * {@link Message#markRollback()} was called.
     *
     * @param message not valid for sending as it is: use {@link Message#of} with its data
     */
    void onMessage(Message message) throws Exception;
}
