package io.metaq.tck.chaos;

import io.metaq.jms.MetaQConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;

/**
 * A client to be killed: receives in transactions, and says each step before and after it is done, so that whoever kills it knows what it
 * may count on. Arguments: a connection URI, a queue.
 */
public final class Victim {
    private static final int PER_TRANSACTION = 10;

    private Victim() {}

    public static void main(String[] arguments) throws JMSException {
        Connection connection = new MetaQConnectionFactory(arguments[0]).createConnection();
        connection.start();
        Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
        MessageConsumer consumer = session.createConsumer(session.createQueue(arguments[1]));
        while (true) {
            int received = 0;
            for (Message message = consumer.receive(500); message != null; message = consumer.receive(500)) {
                say("shown " + Label.of(message).body());
                if (++received == PER_TRANSACTION) {
                    break;
                }
            }
            say("commits");
            try {
                session.commit();
                say("committed");
            } catch (JMSException e) {
                say("failed");
            }
        }
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
