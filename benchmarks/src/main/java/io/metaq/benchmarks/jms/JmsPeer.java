package io.metaq.benchmarks.jms;

import io.metaq.benchmarks.driver.Completion;
import io.metaq.benchmarks.driver.Driver;
import io.metaq.benchmarks.driver.Job;
import io.metaq.benchmarks.driver.MessageSink;
import io.metaq.benchmarks.driver.Peer;
import io.metaq.benchmarks.driver.Receiver;
import io.metaq.benchmarks.driver.Sender;
import jakarta.jms.BytesMessage;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.XAConnection;
import jakarta.jms.XAConnectionFactory;
import java.util.Map;

/**
 * A provider of Jakarta Messaging. The job's topic is a queue, made by its first use and left behind empty.
 *
 * <p>Settings of a job: {@code connection=shared} gives every sender a session of one connection, else each has its own;
 * {@code persistent=false} sends without waiting for an answer; {@code receiver=listener|receive}.
 */
public class JmsPeer implements Peer {

    private final SharedConnections connections;
    private final XAConnectionFactory xaFactory;

    protected JmsPeer(ConnectionFactory factory, XAConnectionFactory xaFactory) {
        this.connections = new SharedConnections(factory);
        this.xaFactory = xaFactory;
    }

    /** The life of a driver process. */
    public static void serve(JmsPeer peer) throws Exception {
        Driver.serve(peer::run);
        peer.close();
        System.exit(0);
    }

    private Map<String, Object> run(Job job) throws Exception {
        return switch (job.workload()) {
            case "reply1", "reply8" ->
                new ReplyLoad(Integer.parseInt(job.workload().substring(5))).run(this, job);
            case "backlog" -> new BacklogLoad().run(this, job);
            case "transactions" -> new TransactionLoad().run(this, job);
            default -> Driver.run(this, job);
        };
    }

    /**
     * Sends and gives the outcome later. A provider without completion listeners overrides this with its own way.
     *
     * @throws JMSException if the message was not even taken; then {@code done} is not called
     */
    protected void send(MessageProducer producer, Message message, Completion done) throws JMSException {
        producer.send(message, new CompletionListener() {
            @Override
            public void onCompletion(Message sent) {
                done.done(null);
            }

            @Override
            public void onException(Message sent, Exception failure) {
                done.done(failure);
            }
        });
    }

    /** A started connection for the caller alone. */
    Connection connect() throws JMSException {
        return connections.open(false);
    }

    /** A connection whose sessions take part in global transactions; the caller closes it. */
    XAConnection connectXa() throws JMSException {
        XAConnection connection = xaFactory.createXAConnection();
        connection.start();
        return connection;
    }

    void disconnect(Connection connection) throws JMSException {
        connections.close(connection);
    }

    @Override
    public void createTopic(Job job) {}

    @Override
    public void deleteTopic(Job job) {}

    @Override
    public Sender openSender(Job job) throws JMSException {
        Connection connection = connections.open(job.text("connection", "own").equals("shared"));
        return new JmsSender(this, connection, job);
    }

    @Override
    public Receiver openReceiver(Job job, MessageSink sink) throws JMSException {
        Connection connection = connect();
        return job.text("receiver", "listener").equals("receive")
                ? new ReceiveLoop(this, connection, job, sink)
                : new ListeningReceiver(this, connection, job, sink);
    }

    static byte[] bytes(Message message) throws JMSException {
        BytesMessage bytes = (BytesMessage) message;
        byte[] body = new byte[(int) bytes.getBodyLength()];
        bytes.readBytes(body);
        return body;
    }
}
