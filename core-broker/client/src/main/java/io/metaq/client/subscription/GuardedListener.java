package io.metaq.client.subscription;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls another listener, whose mistakes must not keep the connection from being made again. */
final class GuardedListener implements SubscriberListener {
    private static final Logger LOG = LoggerFactory.getLogger(GuardedListener.class);

    private final SubscriberListener guarded;

    GuardedListener(SubscriberListener guarded) {
        this.guarded = guarded;
    }

    @Override
    public void interrupted(RuntimeException cause) {
        tell(() -> guarded.interrupted(cause));
    }

    @Override
    public void resumed() {
        tell(guarded::resumed);
    }

    @Override
    public void failed(RuntimeException cause) {
        tell(() -> guarded.failed(cause));
    }

    private static void tell(Runnable news) {
        try {
            news.run();
        } catch (RuntimeException e) {
            LOG.error("the listener of a subscriber threw", e);
        }
    }
}
