package io.metaq.benchmarks.jms;

import io.metaq.benchmarks.driver.Completion;
import io.metaq.benchmarks.driver.Job;
import io.metaq.benchmarks.driver.Sender;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;

/** A session with a producer. */
final class JmsSender implements Sender {

    private final JmsPeer peer;
    private final Connection connection;
    private final Session session;
    private final MessageProducer producer;
    private final boolean persistent;

    JmsSender(JmsPeer peer, Connection connection, Job job) throws JMSException {
        this.peer = peer;
        this.connection = connection;
        this.session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        this.producer = session.createProducer(session.createQueue(job.topic()));
        this.persistent = job.text("persistent", "true").equals("true");
        if (!persistent) {
            producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        }
    }

    /** A non-persistent message is done when it was handed over: there is no promise to wait for. */
    @Override
    public void send(byte[] body, Completion done) throws JMSException {
        if (persistent) {
            peer.send(producer, message(body), done);
        } else {
            producer.send(message(body));
            done.done(null);
        }
    }

    @Override
    public void sendAndWait(byte[] body) throws JMSException {
        producer.send(message(body));
    }

    private BytesMessage message(byte[] body) throws JMSException {
        return message(session, body);
    }

    static BytesMessage message(Session session, byte[] body) throws JMSException {
        BytesMessage message = session.createBytesMessage();
        message.writeBytes(body);
        return message;
    }

    @Override
    public void close() throws JMSException {
        session.close();
        peer.disconnect(connection);
    }
}
