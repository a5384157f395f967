package io.metaq.benchmarks.jms;

import io.metaq.benchmarks.driver.Job;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;

/** A transacted session. */
final class LocalSender implements TransactedSender {

    private final JmsPeer peer;
    private final Connection connection;
    private final Session session;
    private final MessageProducer producer;

    LocalSender(JmsPeer peer, Job job) throws JMSException {
        this.peer = peer;
        this.connection = peer.connect();
        this.session = connection.createSession(true, Session.SESSION_TRANSACTED);
        this.producer = session.createProducer(session.createQueue(job.topic()));
    }

    /** A transacted session is always in a transaction. */
    @Override
    public void begin() {}

    @Override
    public void send(byte[] body) throws JMSException {
        producer.send(JmsSender.message(session, body));
    }

    @Override
    public void commit() throws JMSException {
        session.commit();
    }

    @Override
    public void close() throws JMSException {
        peer.disconnect(connection);
    }
}
