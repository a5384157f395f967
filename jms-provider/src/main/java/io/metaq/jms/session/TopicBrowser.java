package io.metaq.jms.session;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Topic;
import java.util.Enumeration;
import org.jspecify.annotations.Nullable;

/** Looks at what a topic retains, as a {@link jakarta.jms.QueueBrowser} does at what a queue holds. Takes nothing, changes nothing. */
public interface TopicBrowser extends AutoCloseable {

    /** @throws jakarta.jms.IllegalStateException when the browser or its session is closed, as all below */
    Topic getTopic() throws JMSException;

    /** Null where all messages are shown. */
    @Nullable
    String getMessageSelector() throws JMSException;

    /**
     * A walk over the messages, oldest first within a partition, up to the end of the topic at the time of the walk. Expired messages and
     * those whose delivery time has not come are left out.
     */
    Enumeration<Message> getEnumeration() throws JMSException;

    /** Ends all its walks. Idempotent. */
    @Override
    void close() throws JMSException;
}
