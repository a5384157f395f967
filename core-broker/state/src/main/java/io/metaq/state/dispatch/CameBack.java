package io.metaq.state.dispatch;

import org.jspecify.annotations.Nullable;

/**
 * A message that is pending again.
 *
 * @param nextDelivery which delivery the next one will be
 * @param notBeforeMs when it may be delivered, milliseconds since 1970; 0 for at once
 * @param dead it failed too often: it is to be moved, not delivered
 * @param group whose later messages wait for it; null for none, {@link #UNREAD} if nobody has looked yet
 */
record CameBack(
        int nextDelivery,
        long notBeforeMs,
        int priority,
        boolean dead,
        @Nullable String group) {
    /** Compared by identity: a group may have any name. */
    @SuppressWarnings("StringOperationCanBeSimplified")
    static final String UNREAD = new String("unread");

    CameBack withPriority(int known) {
        return new CameBack(nextDelivery, notBeforeMs, known, dead, group);
    }

    /** Whether it is to be delivered, but not yet. */
    boolean rests(long nowMs) {
        return notBeforeMs > nowMs && !dead;
    }
}
