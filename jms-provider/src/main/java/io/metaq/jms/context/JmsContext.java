package io.metaq.jms.context;

import static io.metaq.jms.failure.RuntimeFailures.call;
import static io.metaq.jms.failure.RuntimeFailures.callNullable;
import static io.metaq.jms.failure.RuntimeFailures.run;

import io.metaq.jms.connection.JmsConnection;
import io.metaq.jms.consumer.JmsConsumer;
import io.metaq.jms.failure.Failures;
import io.metaq.jms.failure.RuntimeFailures.Call;
import io.metaq.jms.session.AcknowledgeMode;
import io.metaq.jms.session.Domain;
import io.metaq.jms.session.JmsSession;
import jakarta.jms.BytesMessage;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.Destination;
import jakarta.jms.ExceptionListener;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.StreamMessage;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * A context: a session, made when it is needed first (until then a client id can be set), and its share in a connection, which starts
 * when a consumer is made.
 */
public class JmsContext implements JMSContext {

    private final SharedConnection shared;
    private final AcknowledgeMode mode;
    private volatile boolean autoStart = true;
    private volatile boolean closed;
    private @Nullable JmsSession session;

    JmsContext(SharedConnection shared, AcknowledgeMode mode) {
        this.shared = shared;
        this.mode = mode;
    }

    /** Opens a connection of its own. */
    @FunctionalInterface
    public interface Opener {
        JmsConnection open() throws JMSException;
    }

    /** The first context of a connection. */
    public static JmsContext open(int sessionMode, Opener connection) throws JMSException {
        AcknowledgeMode mode = AcknowledgeMode.of(sessionMode);
        return new JmsContext(new SharedConnection(connection.open()), mode);
    }

    final JmsConnection connection() throws JMSException {
        if (closed) {
            throw Failures.closed("context");
        }
        return shared.connection();
    }

    JmsSession session() throws JMSException {
        JmsConnection connection = connection();
        synchronized (this) {
            if (session == null) {
                session = openSession(connection);
            }
            return session;
        }
    }

    JmsSession openSession(JmsConnection connection) throws JMSException {
        return connection.open(mode.number(), Domain.ANY);
    }

    private synchronized @Nullable JmsSession present() {
        return session;
    }

    @Override
    public JMSContext createContext(int sessionMode) {
        return call(() -> {
            connection();
            AcknowledgeMode wanted = AcknowledgeMode.of(sessionMode);
            shared.join();
            return new JmsContext(shared, wanted);
        });
    }

    @Override
    public JMSProducer createProducer() {
        return call(() -> new ContextProducer(session()));
    }

    // ---- the connection

    @Override
    public @Nullable String getClientID() {
        return callNullable(() -> connection().getClientID());
    }

    @Override
    public void setClientID(@Nullable String clientId) {
        run(() -> connection().setClientID(clientId));
    }

    @Override
    public ConnectionMetaData getMetaData() {
        return call(() -> connection().getMetaData());
    }

    @Override
    public @Nullable ExceptionListener getExceptionListener() {
        return callNullable(() -> connection().getExceptionListener());
    }

    @Override
    public void setExceptionListener(@Nullable ExceptionListener listener) {
        run(() -> connection().setExceptionListener(listener));
    }

    @Override
    public void start() {
        run(() -> connection().start());
    }

    @Override
    public void stop() {
        run(() -> connection().stop());
    }

    @Override
    public void setAutoStart(boolean start) {
        run(this::connection);
        autoStart = start;
    }

    @Override
    public boolean getAutoStart() {
        run(this::connection);
        return autoStart;
    }

    @Override
    public void close() {
        run(() -> {
            JmsSession open = present();
            if (open != null && !closed) {
                open.refuseInCallbacks("close of a context");
            }
            synchronized (this) {
                if (closed) {
                    return;
                }
                closed = true;
            }
            if (open != null) {
                open.close();
            }
            shared.leave();
        });
    }

    // ---- messages

    @Override
    public BytesMessage createBytesMessage() {
        return call(() -> session().createBytesMessage());
    }

    @Override
    public MapMessage createMapMessage() {
        return call(() -> session().createMapMessage());
    }

    @Override
    public Message createMessage() {
        return call(() -> session().createMessage());
    }

    @Override
    public ObjectMessage createObjectMessage() {
        return call(() -> session().createObjectMessage());
    }

    @Override
    public ObjectMessage createObjectMessage(@Nullable Serializable object) {
        return call(() -> session().createObjectMessage(object));
    }

    @Override
    public StreamMessage createStreamMessage() {
        return call(() -> session().createStreamMessage());
    }

    @Override
    public TextMessage createTextMessage() {
        return call(() -> session().createTextMessage());
    }

    @Override
    public TextMessage createTextMessage(@Nullable String text) {
        return call(() -> session().createTextMessage(text));
    }

    // ---- the session

    @Override
    public boolean getTransacted() {
        run(this::connection);
        return mode.isTransacted();
    }

    @Override
    public int getSessionMode() {
        run(this::connection);
        return mode.number();
    }

    @Override
    public void commit() {
        run(() -> session().commit());
    }

    @Override
    public void rollback() {
        run(() -> session().rollback());
    }

    @Override
    public void recover() {
        run(() -> session().recover());
    }

    @Override
    public void acknowledge() {
        run(() -> session().acknowledge());
    }

    @Override
    public void unsubscribe(@Nullable String name) {
        run(() -> session().unsubscribe(name));
    }

    // ---- destinations

    @Override
    public Queue createQueue(@Nullable String name) {
        return call(() -> session().createQueue(name));
    }

    @Override
    public Topic createTopic(@Nullable String name) {
        return call(() -> session().createTopic(name));
    }

    @Override
    public TemporaryQueue createTemporaryQueue() {
        return call(() -> session().createTemporaryQueue());
    }

    @Override
    public TemporaryTopic createTemporaryTopic() {
        return call(() -> session().createTemporaryTopic());
    }

    // ---- consumers

    private JMSConsumer consumer(Call<MessageConsumer> maker) {
        return call(() -> {
            JMSConsumer consumer = new ContextConsumer((JmsConsumer) maker.get());
            if (autoStart) {
                connection().start();
            }
            return consumer;
        });
    }

    @Override
    public JMSConsumer createConsumer(@Nullable Destination from) {
        return consumer(() -> session().createConsumer(from));
    }

    @Override
    public JMSConsumer createConsumer(@Nullable Destination from, @Nullable String selector) {
        return consumer(() -> session().createConsumer(from, selector));
    }

    @Override
    public JMSConsumer createConsumer(@Nullable Destination from, @Nullable String selector, boolean noLocal) {
        return consumer(() -> session().createConsumer(from, selector, noLocal));
    }

    @Override
    public JMSConsumer createDurableConsumer(@Nullable Topic topic, @Nullable String name) {
        return consumer(() -> session().createDurableConsumer(topic, name));
    }

    @Override
    public JMSConsumer createDurableConsumer(
            @Nullable Topic topic, @Nullable String name, @Nullable String selector, boolean noLocal) {
        return consumer(() -> session().createDurableConsumer(topic, name, selector, noLocal));
    }

    @Override
    public JMSConsumer createSharedDurableConsumer(@Nullable Topic topic, @Nullable String name) {
        return consumer(() -> session().createSharedDurableConsumer(topic, name));
    }

    @Override
    public JMSConsumer createSharedDurableConsumer(
            @Nullable Topic topic, @Nullable String name, @Nullable String selector) {
        return consumer(() -> session().createSharedDurableConsumer(topic, name, selector));
    }

    @Override
    public JMSConsumer createSharedConsumer(@Nullable Topic topic, @Nullable String name) {
        return consumer(() -> session().createSharedConsumer(topic, name));
    }

    @Override
    public JMSConsumer createSharedConsumer(@Nullable Topic topic, @Nullable String name, @Nullable String selector) {
        return consumer(() -> session().createSharedConsumer(topic, name, selector));
    }

    @Override
    public QueueBrowser createBrowser(@Nullable Queue queue) {
        return call(() -> session().createBrowser(queue));
    }

    @Override
    public QueueBrowser createBrowser(@Nullable Queue queue, @Nullable String selector) {
        return call(() -> session().createBrowser(queue, selector));
    }
}
