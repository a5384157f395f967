package io.metaq.client;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Decides about a message that failed {@link ConsumerBuilder#maxRetries} times. When {@link #reject} returns the message counts as
 * done; when it throws, the message is tried again later, so nothing is lost when a dead letter topic is out of reach.
 */
@FunctionalInterface
public interface RejectHandler {

    /**
     * @param group the consumer's group
     * @param message what failed
     * @param cause what the listener threw last, null if it marked the message for rollback
     */
    void reject(String group, Message message, @Nullable Throwable cause) throws Exception;

    /** Logs and goes on. */
    static RejectHandler skip() {
        return new SkipHandler();
    }

    /**
     * Sends the message to another topic and goes on when it is stored there. The attribute is kept.
     *
     * @param producer stays the caller's to close
     */
    static RejectHandler deadLetter(Producer producer, String topic) {
        return new DeadLetterHandler(producer, topic);
    }

    /**
     * Appends the message to {@code <directory>/<group>/<topic>-<broker>-<partition>.rejected} in storage format (header of 20
     * bytes, then the body), forced to disk, and goes on.
     */
    static RejectHandler keepIn(Path directory) {
        return new KeepLocallyHandler(directory);
    }
}
