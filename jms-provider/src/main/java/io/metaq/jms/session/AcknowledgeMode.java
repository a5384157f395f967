package io.metaq.jms.session;

import jakarta.jms.JMSException;
import jakarta.jms.Session;

/** When a received message is done with. */
public enum AcknowledgeMode {
    /** With the commit. */
    TRANSACTED(Session.SESSION_TRANSACTED),
    /** When receive or the listener has returned. */
    AUTO(Session.AUTO_ACKNOWLEDGE),
    /** When the application says so, for everything that the session received so far. */
    CLIENT(Session.CLIENT_ACKNOWLEDGE),
    /** Some time after receive or the listener has returned. */
    LAZY(Session.DUPS_OK_ACKNOWLEDGE),
    /** When the application says so, for each message by itself. */
    INDIVIDUAL(MetaQSession.INDIVIDUAL_ACKNOWLEDGE),
    /** With the branch that the session works on; outside of branches as {@link #AUTO}. Not to be asked for by number. */
    XA(Session.SESSION_TRANSACTED);

    private final int number;

    AcknowledgeMode(int number) {
        this.number = number;
    }

    /** The constant of the API. */
    public int number() {
        return number;
    }

    /** Whether receive itself settles messages, without the application's word. */
    boolean isAutomatic() {
        return this == AUTO || this == LAZY;
    }

    /** Whether commit, wherever it comes from, decides about what is sent. */
    public boolean isTransacted() {
        return this == TRANSACTED || this == XA;
    }

    /** @throws JMSException for a number that is none of the modes */
    public static AcknowledgeMode of(int number) throws JMSException {
        for (AcknowledgeMode mode : values()) {
            if (mode.number == number) {
                return mode;
            }
        }
        throw new JMSException("there is no acknowledge mode " + number);
    }
}
