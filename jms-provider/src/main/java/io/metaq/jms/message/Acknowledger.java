package io.metaq.jms.message;

import jakarta.jms.JMSException;

/** What a session does when the application acknowledges one of its messages. */
@FunctionalInterface
public interface Acknowledger {
    /** @throws JMSException if it cannot be acknowledged; {@code IllegalStateException} after the session's end */
    void acknowledge(MetaQMessage message) throws JMSException;
}
