package io.metaq.jms.session;

import jakarta.jms.QueueSession;
import jakarta.jms.TopicSession;

/** What MetaQ's sessions can do beyond Jakarta Messaging. Every session that a MetaQ connection makes is one. */
public interface MetaQSession extends QueueSession, TopicSession {

    /**
     * An acknowledge mode for {@code createSession}: {@code Message.acknowledge()} acknowledges that message alone, whatever else the
     * session received.
     */
    int INDIVIDUAL_ACKNOWLEDGE = 101;
}
