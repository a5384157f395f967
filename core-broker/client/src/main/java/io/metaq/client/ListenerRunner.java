package io.metaq.client;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls the application's code, and knows which threads are inside of it. */
final class ListenerRunner {

    private static final Logger LOG = LoggerFactory.getLogger(ListenerRunner.class);

    private final String group;
    private final int maxRetries;
    private final RejectHandler rejectHandler;
    private final ConsumerThread consumerThread;
    private final Set<Thread> inside = ConcurrentHashMap.newKeySet();

    ListenerRunner(ConsumerThread consumerThread, String group, int maxRetries, RejectHandler rejectHandler) {
        this.consumerThread = consumerThread;
        this.group = group;
        this.maxRetries = maxRetries;
        this.rejectHandler = rejectHandler;
    }

    /** Whether the calling thread is the consumer's, or inside of a listener or reject handler of this consumer. */
    boolean isInside() {
        return consumerThread.isCurrent() || inside.contains(Thread.currentThread());
    }

    /**
     * Gives a message to its listener, and to the reject handler if that was its last try.
     *
     * @param failures how often it failed before
     * @return whether the message is done
     */
    boolean run(MessageListener listener, Message message, int failures) {
        if (consumerThread.isCurrent()) {
            return handle(listener, message, failures);
        }
        Thread thread = Thread.currentThread();
        boolean outermost = inside.add(thread);
        try {
            return handle(listener, message, failures);
        } finally {
            if (outermost) {
                inside.remove(thread);
            }
        }
    }

    private boolean handle(MessageListener listener, Message message, int failures) {
        message.clearRollback();
        Throwable cause = null;
        try {
            listener.onMessage(message);
            if (!message.isMarkedForRollback()) {
                return true;
            }
        } catch (Throwable e) {
            // Whatever it is, the message is not done; what cannot be handled shows again at the next delivery.
            cause = e;
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
        }
        LOG.debug("group {}: delivery {} of {} failed", group, failures + 1, message, cause);
        return failures >= maxRetries && rejected(message, cause);
    }

    private boolean rejected(Message message, @Nullable Throwable cause) {
        try {
            rejectHandler.reject(group, message, cause);
            return true;
        } catch (Exception e) {
            LOG.warn("group {}: the reject handler failed for {}, which stays to be tried again", group, message, e);
            return false;
        }
    }
}
