package io.metaq.state.dispatch;

import org.jspecify.annotations.Nullable;

/**
 * What becomes of a message that came back, or that is too old.
 *
 * @param maxDeliveries a message that failed at this delivery goes to the dead letter queue; 0 for never
 * @param delayMs before the second delivery
 * @param backoff factor by which the delay grows with each further delivery, 1 for not at all
 * @param maxDelayMs to what the delay grows at most; 0 for no bound
 * @param deadLetterQueue where messages go that failed too often; null: they are dropped
 * @param expiryQueue where expired messages go; null: they are dropped
 */
public record RedeliveryPolicy(
        int maxDeliveries,
        long delayMs,
        double backoff,
        long maxDelayMs,
        @Nullable String deadLetterQueue,
        @Nullable String expiryQueue) {
    private static final long LONGEST_DELAY_MS = 365L * 24 * 3_600_000;

    /** Ten deliveries without a delay, then the queue {@code DLQ}; expired messages are dropped. */
    public static final RedeliveryPolicy DEFAULT = new RedeliveryPolicy(10, 0, 1.0, 0, "DLQ", null);

    static final RedeliveryPolicy NEVER_DEAD = new RedeliveryPolicy(0, 0, 1.0, 0, null, null);

    /** How long a message rests whose delivery number {@code deliveryCount} failed. */
    long delayAfter(int deliveryCount) {
        if (delayMs <= 0) {
            return 0;
        }
        double delay = delayMs * Math.pow(Math.max(1.0, backoff), deliveryCount - 1.0);
        long bound = maxDelayMs > 0 ? maxDelayMs : LONGEST_DELAY_MS;
        return Math.max(delayMs, delay >= bound ? bound : (long) delay);
    }

    boolean exhausted(int deliveryCount) {
        return maxDeliveries > 0 && deliveryCount >= maxDeliveries;
    }
}
