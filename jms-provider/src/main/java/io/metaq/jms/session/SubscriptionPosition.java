package io.metaq.jms.session;

import java.time.Instant;

/**
 * A place among the messages that a topic retains.
 *
 * @param text as MetaQ's commands write it: {@code first}, {@code last}, a byte offset, {@code time:MS}
 */
public record SubscriptionPosition(String text) {

    /** Before everything that is retained. */
    public static SubscriptionPosition first() {
        return new SubscriptionPosition("first");
    }

    /** Behind everything that is there now. */
    public static SubscriptionPosition last() {
        return new SubscriptionPosition("last");
    }

    /** Where the messages begin that were stored at this time or later. */
    public static SubscriptionPosition at(Instant time) {
        return new SubscriptionPosition("time:" + time.toEpochMilli());
    }

    /**
     * A byte offset, at which a message begins.
     *
     * @throws IllegalArgumentException for a negative one
     */
    public static SubscriptionPosition at(long offset) {
        if (offset < 0) {
            throw new IllegalArgumentException("offset " + offset + " is negative");
        }
        return new SubscriptionPosition(Long.toString(offset));
    }
}
