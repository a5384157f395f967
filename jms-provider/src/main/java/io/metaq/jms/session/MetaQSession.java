package io.metaq.jms.session;

import jakarta.jms.JMSException;
import jakarta.jms.QueueSession;
import jakarta.jms.Topic;
import jakarta.jms.TopicSession;
import org.jspecify.annotations.Nullable;

/**
 * What MetaQ's sessions can do beyond Jakarta Messaging. Every session that a MetaQ connection makes is one:
 *
 * <pre>{@code
 * MetaQSession session = (MetaQSession) connection.createSession(MetaQSession.INDIVIDUAL_ACKNOWLEDGE);
 * }</pre>
 */
public interface MetaQSession extends QueueSession, TopicSession {

    /**
     * An acknowledge mode for {@code createSession} and {@code createContext}: {@code Message.acknowledge()} acknowledges that message
     * alone, whatever else the session received.
     */
    int INDIVIDUAL_ACKNOWLEDGE = 101;

    /**
     * Looks at the messages that a topic retains, whoever has received them already.
     *
     * @throws jakarta.jms.InvalidDestinationException for null, and for a temporary topic, which retains nothing
     */
    default TopicBrowser createTopicBrowser(@Nullable Topic topic) throws JMSException {
        return createTopicBrowser(topic, null);
    }

    /**
     * Looks at the retained messages that match.
     *
     * @param selector null or blank for all
     * @throws jakarta.jms.InvalidSelectorException for a selector that is none
     */
    TopicBrowser createTopicBrowser(@Nullable Topic topic, @Nullable String selector) throws JMSException;

    /**
     * Moves a durable subscription of this connection's client id: what is retained from there on is delivered (again), what lies before
     * is not. What its consumers were given and did not acknowledge stays theirs, but their acknowledgement counts for nothing.
     *
     * @param name as given to {@code createDurableConsumer} or {@code createSharedDurableConsumer}
     * @throws jakarta.jms.InvalidDestinationException when there is no such subscription
     */
    void seek(String name, SubscriptionPosition to) throws JMSException;
}
