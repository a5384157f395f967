package io.metaq.broker.transaction;

import java.util.concurrent.TimeUnit;

/**
 * How long transactions may stay unprepared.
 *
 * @param maxSeconds most that a client may ask for; 0 = no limit
 */
public record TransactionLimits(int maxSeconds) {
    /** What becomes of a client's wish: milliseconds, 0 = for ever. */
    public long timeoutMs(int wishedSeconds) {
        int seconds = maxSeconds > 0 ? Math.min(wishedSeconds, maxSeconds) : wishedSeconds;
        return TimeUnit.SECONDS.toMillis(Math.max(0, seconds));
    }
}
