package io.metaq.benchmarks.jms;

import io.metaq.benchmarks.driver.Job;
import io.metaq.benchmarks.driver.MessageSink;
import io.metaq.benchmarks.driver.Receiver;
import io.metaq.benchmarks.driver.Threads;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/** A thread that calls {@code receive} with automatic acknowledgement. */
final class ReceiveLoop implements Receiver {

    private static final long POLL_MS = 200;

    private final JmsPeer peer;
    private final Connection connection;
    private final MessageConsumer consumer;
    private final MessageSink sink;
    private final CompletableFuture<Void> end;
    private volatile boolean closed;

    ReceiveLoop(JmsPeer peer, Connection connection, Job job, MessageSink sink) throws JMSException {
        this.peer = peer;
        this.connection = connection;
        this.sink = sink;
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        this.consumer = session.createConsumer(session.createQueue(job.topic()));
        this.end = Threads.run("jms-receive", this::receive);
    }

    private void receive() throws JMSException {
        while (!closed) {
            Message message = consumer.receive(POLL_MS);
            if (message != null) {
                sink.accept(ByteBuffer.wrap(JmsPeer.bytes(message)));
            }
        }
    }

    @Override
    public void close() throws JMSException {
        closed = true;
        end.join();
        peer.disconnect(connection);
    }
}
