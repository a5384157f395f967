package io.metaq.jms.producer;

import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;

/**
 * How a message is to be sent. Immutable.
 *
 * @param deliveryMode of {@link DeliveryMode}
 * @param priority 0 to 9
 * @param timeToLiveMs 0 for ever
 * @param deliveryDelayMs 0 for none
 * @param messageId whether the message gets an id
 * @param timestamp whether the message gets the time of its send
 */
public record SendOptions(
        int deliveryMode, int priority, long timeToLiveMs, long deliveryDelayMs, boolean messageId, boolean timestamp) {

    public static final SendOptions DEFAULT = new SendOptions(
            Message.DEFAULT_DELIVERY_MODE,
            Message.DEFAULT_PRIORITY,
            Message.DEFAULT_TIME_TO_LIVE,
            Message.DEFAULT_DELIVERY_DELAY,
            true,
            true);

    private static final int MAX_PRIORITY = 9;

    /** The same with what a send may give for itself. */
    public SendOptions with(int mode, int newPriority, long timeToLive) throws JMSException {
        return withDeliveryMode(mode).withPriority(newPriority).withTimeToLive(timeToLive);
    }

    /** @throws JMSException for a mode that there is not */
    public SendOptions withDeliveryMode(int mode) throws JMSException {
        if (mode != DeliveryMode.PERSISTENT && mode != DeliveryMode.NON_PERSISTENT) {
            throw new JMSException("delivery mode " + mode + " is neither PERSISTENT nor NON_PERSISTENT");
        }
        return new SendOptions(mode, priority, timeToLiveMs, deliveryDelayMs, messageId, timestamp);
    }

    /** @throws JMSException unless 0 to 9 */
    public SendOptions withPriority(int newPriority) throws JMSException {
        if (newPriority < 0 || newPriority > MAX_PRIORITY) {
            throw new JMSException("priority " + newPriority + " is not between 0 and 9");
        }
        return new SendOptions(deliveryMode, newPriority, timeToLiveMs, deliveryDelayMs, messageId, timestamp);
    }

    /** @throws JMSException for a negative time */
    public SendOptions withTimeToLive(long millis) throws JMSException {
        if (millis < 0) {
            throw new JMSException("time to live " + millis + " ms is negative");
        }
        return new SendOptions(deliveryMode, priority, millis, deliveryDelayMs, messageId, timestamp);
    }

    /** @throws JMSException for a negative time */
    public SendOptions withDeliveryDelay(long millis) throws JMSException {
        if (millis < 0) {
            throw new JMSException("delivery delay " + millis + " ms is negative");
        }
        return new SendOptions(deliveryMode, priority, timeToLiveMs, millis, messageId, timestamp);
    }

    public SendOptions withMessageId(boolean wanted) {
        return new SendOptions(deliveryMode, priority, timeToLiveMs, deliveryDelayMs, wanted, timestamp);
    }

    public SendOptions withTimestamp(boolean wanted) {
        return new SendOptions(deliveryMode, priority, timeToLiveMs, deliveryDelayMs, messageId, wanted);
    }

    boolean persistent() {
        return deliveryMode == DeliveryMode.PERSISTENT;
    }
}
