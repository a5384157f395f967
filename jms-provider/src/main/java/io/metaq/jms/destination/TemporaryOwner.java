package io.metaq.jms.destination;

import jakarta.jms.JMSException;

/** The connection that made a temporary destination, as far as the destination needs it. */
@FunctionalInterface
public interface TemporaryOwner {

    /**
     * Deletes it with all its messages. Deleting it again does nothing.
     *
     * @throws JMSException while somebody consumes from it, or when the connection is closed
     */
    void delete(MetaQDestination temporary) throws JMSException;
}
