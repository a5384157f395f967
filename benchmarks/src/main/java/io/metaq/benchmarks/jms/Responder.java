package io.metaq.benchmarks.jms;

import io.metaq.benchmarks.driver.Job;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;

/** A listener that sends every request's body back to where the request says. */
final class Responder {

    private final Session session;
    private final MessageProducer producer;

    private Responder(Session session) throws JMSException {
        this.session = session;
        this.producer = session.createProducer(null);
    }

    static void listen(Connection connection, Job job) throws JMSException {
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        Responder responder = new Responder(session);
        session.createConsumer(session.createQueue(job.topic())).setMessageListener(responder::answer);
    }

    private void answer(Message request) {
        try {
            Message reply = JmsSender.message(session, JmsPeer.bytes(request));
            reply.setJMSCorrelationID(request.getJMSMessageID());
            producer.send(request.getJMSReplyTo(), reply);
        } catch (JMSException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
