package io.metaq.jms.consumer;

import io.metaq.client.subscription.Delivery;
import io.metaq.jms.failure.Deadline;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import org.jspecify.annotations.Nullable;

/** The session of a consumer, as far as the consumer needs it. */
public interface ConsumerHost {

    /** @throws jakarta.jms.IllegalStateException when the session is closed, or its messages go to listeners */
    void checkReceive() throws JMSException;

    /** Makes a message object of what was delivered. */
    Message decode(Intake intake, Delivery delivery) throws JMSException;

    /** The application is given the message: counts as received, by the session's acknowledge mode. */
    void received(Intake intake, Delivery delivery, Message message);

    /** Whether a message that the application cannot take may go back as if it had not been received. */
    boolean mayPutBack();

    /** Calls the listener with what comes from now on; null: nobody. */
    void listen(JmsConsumer consumer, @Nullable MessageListener listener) throws JMSException;

    /** Waits until what this connection sent without waiting is where a consumer can find it. */
    void settleSends();

    /** How long to wait for the broker's answer from now. */
    Deadline answer();

    /** The consumer is to end: waits for its listener, unless called by it. */
    void close(JmsConsumer consumer) throws JMSException;
}
