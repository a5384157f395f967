package io.metaq.tck.chaos;

import jakarta.jms.JMSException;
import jakarta.jms.Message;

/**
 * A message as a consumer was shown it.
 *
 * @param count {@code JMSXDeliveryCount}
 * @param expiration ms since the epoch, 0 for none
 */
record Showing(Label label, boolean redelivered, int count, long expiration) {

    static Showing of(Message message) throws JMSException {
        return new Showing(
                Label.of(message),
                message.getJMSRedelivered(),
                message.getIntProperty("JMSXDeliveryCount"),
                message.getJMSExpiration());
    }
}
