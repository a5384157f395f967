package io.metaq.jms.producer;

import io.metaq.jms.destination.MetaQDestination;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.QueueSender;
import org.jspecify.annotations.Nullable;

/** A producer for a queue. */
public final class JmsQueueSender extends JmsProducer implements QueueSender {

    public JmsQueueSender(ProducerHost host, @Nullable MetaQDestination queue) {
        super(host, queue);
    }

    @Override
    public @Nullable Queue getQueue() throws JMSException {
        return (Queue) getDestination();
    }

    @Override
    public void send(@Nullable Queue queue, Message message) throws JMSException {
        send((Destination) queue, message);
    }

    @Override
    public void send(@Nullable Queue queue, Message message, int mode, int priority, long timeToLive)
            throws JMSException {
        send((Destination) queue, message, mode, priority, timeToLive);
    }
}
