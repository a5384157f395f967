package io.metaq.benchmarks.jms;

import io.metaq.benchmarks.driver.Body;
import io.metaq.benchmarks.driver.Job;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import java.util.Arrays;

/** Asks and waits for the answer on its temporary queue. */
final class Requester {

    enum Outcome {
        ANSWERED,
        NOTHING,
        WRONG
    }

    private final Session session;
    private final MessageProducer producer;
    private final TemporaryQueue replies;
    private final MessageConsumer consumer;
    private final int number;
    private final int bodyBytes;
    private final long patienceMs;
    private long sequence;

    Requester(Connection connection, Job job, int number) throws JMSException {
        this.session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        this.producer = session.createProducer(session.createQueue(job.topic()));
        this.replies = session.createTemporaryQueue();
        this.consumer = session.createConsumer(replies);
        this.number = number;
        this.bodyBytes = job.bodyBytes();
        this.patienceMs = 1000 * job.number("patience", 30);
    }

    Outcome ask() throws JMSException {
        byte[] body = Body.of(number, sequence++, System.nanoTime(), bodyBytes);
        BytesMessage request = JmsSender.message(session, body);
        request.setJMSReplyTo(replies);
        producer.send(request);
        Message reply = consumer.receive(patienceMs);
        if (reply == null) {
            return Outcome.NOTHING;
        }
        boolean right = request.getJMSMessageID().equals(reply.getJMSCorrelationID())
                && Arrays.equals(body, JmsPeer.bytes(reply));
        return right ? Outcome.ANSWERED : Outcome.WRONG;
    }
}
