package io.metaq.benchmarks.jms;

import io.metaq.benchmarks.driver.Job;
import io.metaq.benchmarks.driver.MessageSink;
import io.metaq.benchmarks.driver.Receiver;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.nio.ByteBuffer;

/** A message listener with automatic acknowledgement. */
final class ListeningReceiver implements Receiver {

    private final JmsPeer peer;
    private final Connection connection;
    private final MessageSink sink;

    ListeningReceiver(JmsPeer peer, Connection connection, Job job, MessageSink sink) throws JMSException {
        this.peer = peer;
        this.connection = connection;
        this.sink = sink;
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(session.createQueue(job.topic()));
        consumer.setMessageListener(this::received);
    }

    private void received(Message message) {
        try {
            sink.accept(ByteBuffer.wrap(JmsPeer.bytes(message)));
        } catch (JMSException unreadable) {
            throw new IllegalStateException(unreadable);
        }
    }

    @Override
    public void close() throws JMSException {
        peer.disconnect(connection);
    }
}
