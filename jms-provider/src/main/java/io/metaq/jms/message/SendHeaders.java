package io.metaq.jms.message;

import io.metaq.jms.destination.MetaQDestination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import org.jspecify.annotations.Nullable;

/**
 * What a send decides, whatever the message said before.
 *
 * @param sendTime when {@code send} was called, ms of the epoch: all other times count from it
 * @param timeToLive ms, 0 for no end
 * @param deliveryDelay ms, 0 for none
 * @param messageId beginning with {@code ID:}; null where the application asked for none
 * @param origin client id or connection id, by which who sent it does not get it with noLocal; null for none
 */
public record SendHeaders(
        MetaQDestination destination,
        int deliveryMode,
        int priority,
        long sendTime,
        long timeToLive,
        long deliveryDelay,
        @Nullable String messageId,
        @Nullable String origin) {

    /** ms of the epoch, 0 for never. */
    public long expiration() {
        return timeToLive == 0 ? 0 : sum(sendTime, timeToLive);
    }

    /** ms of the epoch; the time of the send where there is no delay. */
    public long deliveryTime() {
        return sum(sendTime, deliveryDelay);
    }

    /** Sets the seven headers that a send sets, on our messages and on those of others. */
    public void setOn(Message message) throws JMSException {
        message.setJMSDestination(destination);
        message.setJMSDeliveryMode(deliveryMode);
        message.setJMSPriority(priority);
        message.setJMSTimestamp(sendTime);
        message.setJMSExpiration(expiration());
        message.setJMSDeliveryTime(deliveryTime());
        message.setJMSMessageID(messageId);
    }

    private static long sum(long time, long span) {
        long sum = time + span;
        return sum < time ? Long.MAX_VALUE : sum;
    }
}
