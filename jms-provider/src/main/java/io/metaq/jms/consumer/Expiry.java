package io.metaq.jms.consumer;

import io.metaq.client.subscription.Delivery;
import io.metaq.message.HeaderField;
import io.metaq.message.MalformedPropertiesException;
import io.metaq.message.MessageFlags;
import io.metaq.message.PropertyBlock;
import java.nio.ByteBuffer;

/** The last check of an expiration: between the broker's look and the application's receive, time has passed. */
public final class Expiry {

    private Expiry() {}

    /**
     * Whether it is too late to deliver this.
     *
     * @param nowMs milliseconds since 1970
     */
    public static boolean hasPassed(Delivery message, long nowMs) {
        if (!MessageFlags.has(message.flag(), MessageFlags.EXPIRES)) {
            return false;
        }
        try {
            PropertyBlock block = PropertyBlock.ofBody(message.flag(), ByteBuffer.wrap(message.body()));
            long expiration = block == null ? 0 : block.headerLong(HeaderField.EXPIRATION, 0);
            return expiration > 0 && expiration <= nowMs;
        } catch (MalformedPropertiesException e) {
            // Not for us to judge: the application gets it and sees what is wrong with it.
            return false;
        }
    }
}
