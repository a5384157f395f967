package io.metaq.state.dispatch;

import io.metaq.message.HeaderField;
import io.metaq.message.InvalidSelectorException;
import io.metaq.message.MalformedPropertiesException;
import io.metaq.message.MessageFlags;
import io.metaq.message.PropertyBlock;
import io.metaq.message.Selector;
import io.metaq.state.subscription.SubscriptionInfo;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Says of a message what its flag and properties make of it. Changes nothing. */
final class Judge {
    /** What a message is to a class of consumers. */
    enum Verdict {
        FITS,
        /** The selector of the class does not match. */
        OTHERS,
        /** The subscription itself does not take it. */
        FOREIGN,
        EXPIRED
    }

    private static final int SPECIAL = MessageFlags.SCHEDULED | MessageFlags.GROUPED | MessageFlags.EXPIRES;

    private final @Nullable Selector own;
    private final @Nullable String noLocalOrigin;
    private final boolean takesAll;

    /** Group of the message that was judged last, if it fits. */
    private @Nullable String group;

    Judge(SubscriptionInfo info) {
        this.own = selector(info);
        this.noLocalOrigin = info.noLocalOrigin();
        this.takesAll = own == null && noLocalOrigin == null;
    }

    private static @Nullable Selector selector(SubscriptionInfo info) {
        String text = info.selector();
        if (text == null || text.isBlank()) {
            return null;
        }
        try {
            return Selector.parse(text);
        } catch (InvalidSelectorException e) {
            throw new IllegalStateException("subscription " + info.name() + " has a selector that cannot be read", e);
        }
    }

    /** Whether a message with this flag goes to everyone who has no selector, at its place in the log. */
    boolean plain(int flag) {
        return takesAll && ((flag & MessageFlags.PROPERTIES) == 0 || (flag & SPECIAL) == 0);
    }

    static boolean scheduled(int flag) {
        return MessageFlags.has(flag, MessageFlags.SCHEDULED);
    }

    Verdict judge(@Nullable Selector selector, long nowMs, int flag, ByteBuffer body, long id) {
        group = null;
        PropertyBlock properties = properties(flag, body);
        try {
            if (!belongs(properties, id)) {
                return Verdict.FOREIGN;
            }
            if (properties != null && expired(flag, properties, nowMs)) {
                return Verdict.EXPIRED;
            }
            if (selector != null && !selector.matches(properties, id)) {
                return Verdict.OTHERS;
            }
            if (properties != null && MessageFlags.has(flag, MessageFlags.GROUPED)) {
                group = properties.headerString(HeaderField.GROUP_ID);
            }
            return Verdict.FITS;
        } catch (MalformedPropertiesException e) {
            // The sender's fault; a message that nobody could get would stay for good.
            return selector == null ? Verdict.FITS : Verdict.OTHERS;
        }
    }

    /** Null if there are none, or they cannot be read. */
    static @Nullable PropertyBlock properties(int flag, ByteBuffer body) {
        try {
            return PropertyBlock.ofBody(flag, body);
        } catch (MalformedPropertiesException e) {
            return null;
        }
    }

    private boolean belongs(@Nullable PropertyBlock properties, long id) {
        if (own != null && !own.matches(properties, id)) {
            return false;
        }
        return noLocalOrigin == null
                || properties == null
                || !noLocalOrigin.equals(properties.headerString(HeaderField.ORIGIN));
    }

    static boolean expired(int flag, PropertyBlock properties, long nowMs) {
        return MessageFlags.has(flag, MessageFlags.EXPIRES)
                && properties.headerLong(HeaderField.EXPIRATION, Long.MAX_VALUE) <= nowMs;
    }

    /** Whether the message is not to be seen yet. */
    static boolean delayed(int flag, ByteBuffer body, long nowMs) {
        return scheduled(flag) && deliveryTimeMs(flag, body) > nowMs;
    }

    /** When the message is due, milliseconds since 1970; 0 for at once. */
    static long deliveryTimeMs(int flag, ByteBuffer body) {
        PropertyBlock properties = properties(flag, body);
        try {
            return properties == null ? 0 : properties.headerLong(HeaderField.DELIVERY_TIME, 0);
        } catch (MalformedPropertiesException e) {
            return 0;
        }
    }

    /** Group of a message, whether it fits or not; null for none. */
    static @Nullable String groupOf(int flag, ByteBuffer body) {
        PropertyBlock properties = MessageFlags.has(flag, MessageFlags.GROUPED) ? properties(flag, body) : null;
        try {
            return properties == null ? null : properties.headerString(HeaderField.GROUP_ID);
        } catch (MalformedPropertiesException e) {
            return null;
        }
    }

    @Nullable
    String group() {
        return group;
    }
}
