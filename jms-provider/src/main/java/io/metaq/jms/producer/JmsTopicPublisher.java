package io.metaq.jms.producer;

import io.metaq.jms.destination.MetaQDestination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Topic;
import jakarta.jms.TopicPublisher;
import org.jspecify.annotations.Nullable;

/** A producer for a topic. */
public final class JmsTopicPublisher extends JmsProducer implements TopicPublisher {

    public JmsTopicPublisher(ProducerHost host, @Nullable MetaQDestination topic) {
        super(host, topic);
    }

    @Override
    public @Nullable Topic getTopic() throws JMSException {
        return (Topic) getDestination();
    }

    @Override
    public void publish(Message message) throws JMSException {
        send(message);
    }

    @Override
    public void publish(Message message, int mode, int priority, long timeToLive) throws JMSException {
        send(message, mode, priority, timeToLive);
    }

    @Override
    public void publish(@Nullable Topic topic, Message message) throws JMSException {
        send(topic, message);
    }

    @Override
    public void publish(@Nullable Topic topic, Message message, int mode, int priority, long timeToLive)
            throws JMSException {
        send(topic, message, mode, priority, timeToLive);
    }
}
