package io.metaq.client.zookeeper;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The time in which no broker has a topic that one had before. A broker that restarts takes its nodes away and brings them back one by
 * one, in any order, so for a moment it can look as if it had closed the topic and lived on; only what stays that way is believed.
 */
final class Absence {

    /**
     * How long a topic may be away.
     *
     * @param closedMs before a broker that was there all the time is believed to have closed it
     * @param awayMs before a broker that is or was away is given up
     */
    record Patience(long closedMs, long awayMs) {
        static final Patience USUAL = new Patience(3_000, 60_000);
    }

    private final Patience patience;
    private final long sinceNanos;
    private boolean wasAway;
    private @Nullable ScheduledFuture<?> nextLook;

    Absence(Patience patience, long nowNanos) {
        this.patience = patience;
        this.sinceNanos = nowNanos;
    }

    /** Notes whether the broker has a living process now. */
    void look(boolean brokerThere) {
        wasAway |= !brokerThere;
    }

    /** How much longer the topic's last address counts; not positive: it does not. */
    long leftMs(long nowNanos) {
        long limitMs = wasAway ? patience.awayMs : patience.closedMs;
        return limitMs - TimeUnit.NANOSECONDS.toMillis(nowNanos - sinceNanos);
    }

    /** There is one next look at a time; null: none is needed any more. */
    void nextLook(@Nullable ScheduledFuture<?> look) {
        if (nextLook != null) {
            nextLook.cancel(false);
        }
        nextLook = look;
    }
}
