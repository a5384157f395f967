package io.metaq.jms.session;

import java.util.function.LongSupplier;
import org.slf4j.Logger;

/** Tells the log of listeners that throw, once a second at most: messages that always fail come by the thousand. One session's. */
final class ListenerFailures {

    private static final long PAUSE_NANOS = 1_000_000_000;

    private final Logger log;
    private final LongSupplier nanoTime;
    private long last;
    private long silent;

    ListenerFailures(Logger log, LongSupplier nanoTime) {
        this.log = log;
        this.nanoTime = nanoTime;
        this.last = nanoTime.getAsLong() - PAUSE_NANOS;
    }

    void failed(Throwable failure) {
        long now = nanoTime.getAsLong();
        if (now - last < PAUSE_NANOS) {
            silent++;
            return;
        }
        if (silent == 0) {
            log.warn("a message listener failed", failure);
        } else {
            log.warn("a message listener failed, after {} failures that were not logged", silent, failure);
        }
        last = now;
        silent = 0;
    }
}
