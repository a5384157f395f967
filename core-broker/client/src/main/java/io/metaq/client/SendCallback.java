package io.metaq.client;

import org.jspecify.annotations.Nullable;

/**
 * Told once about the outcome of an asynchronous send. Called on the client's network thread in the order of the sends of a
 * partition: return quickly, and do not wait in it for another send.
 */
@FunctionalInterface
public interface SendCallback {

    /**
     * @param result where the message is, or null if it failed
     * @param failure why it failed, or null if it is stored
     */
    void completed(@Nullable SendResult result, @Nullable MetaqException failure);
}
