package io.metaq.tck.closing;

import io.metaq.jms.MetaQConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;

/**
 * A client in the middle of something: a connection with all it takes, and a context beside it.
 *
 * @param contextEnds whether the scene plays on the context
 */
record Scene(
        Connection connection,
        Session session,
        MessageConsumer consumer,
        MessageProducer producer,
        Queue queue,
        JMSContext context,
        boolean contextEnds)
        implements AutoCloseable {

    static Scene open(MetaQConnectionFactory factory, String queueName, boolean contextEnds) throws JMSException {
        Connection connection = factory.createConnection();
        connection.start();
        Session session = connection.createSession();
        Queue queue = session.createQueue(queueName);
        return new Scene(
                connection,
                session,
                session.createConsumer(queue),
                session.createProducer(queue),
                queue,
                factory.createContext(),
                contextEnds);
    }

    @Override
    public void close() throws JMSException {
        context.close();
        connection.close();
    }
}
