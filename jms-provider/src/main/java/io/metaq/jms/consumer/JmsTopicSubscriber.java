package io.metaq.jms.consumer;

import io.metaq.jms.destination.MetaQDestination;
import jakarta.jms.JMSException;
import jakarta.jms.Topic;
import jakarta.jms.TopicSubscriber;
import org.jspecify.annotations.Nullable;

/** A consumer of a topic, by whatever kind of subscription. */
public final class JmsTopicSubscriber extends JmsConsumer implements TopicSubscriber {

    private final boolean noLocal;

    public JmsTopicSubscriber(
            ConsumerHost host,
            Intake intake,
            MetaQDestination destination,
            @Nullable String selector,
            boolean noLocal) {
        super(host, intake, destination, selector);
        this.noLocal = noLocal;
    }

    @Override
    public Topic getTopic() throws JMSException {
        checkOpen();
        return (Topic) destination();
    }

    @Override
    public boolean getNoLocal() throws JMSException {
        checkOpen();
        return noLocal;
    }
}
