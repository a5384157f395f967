package io.metaq.jms.producer;

import io.metaq.jms.transport.Outgoing;
import jakarta.jms.JMSException;

/** Where a session's messages wait for a commit. */
public interface Hold {

    /** For sessions that send at once. */
    Hold NONE = new Hold() {
        @Override
        public boolean take(Outgoing message) {
            return false;
        }
    };

    /**
     * Takes a message, if there is a transaction now.
     *
     * @return false when it is to be sent at once
     */
    boolean take(Outgoing message) throws JMSException;
}
