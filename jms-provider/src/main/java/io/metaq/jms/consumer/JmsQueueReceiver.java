package io.metaq.jms.consumer;

import io.metaq.jms.destination.MetaQDestination;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.QueueReceiver;
import org.jspecify.annotations.Nullable;

/** A consumer of a queue. */
public final class JmsQueueReceiver extends JmsConsumer implements QueueReceiver {

    public JmsQueueReceiver(ConsumerHost host, Intake intake, MetaQDestination destination, @Nullable String selector) {
        super(host, intake, destination, selector);
    }

    @Override
    public Queue getQueue() throws JMSException {
        checkOpen();
        return (Queue) destination();
    }
}
