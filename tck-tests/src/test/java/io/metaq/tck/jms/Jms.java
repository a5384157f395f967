package io.metaq.tck.jms;

import io.metaq.jms.MetaQConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A broker as one test sees it: names that nobody else uses, and connections that end with the test. */
final class Jms implements AutoCloseable {
    /** Milliseconds within which something comes that must come. */
    static final long SOON = 30_000;

    /** Milliseconds without a message that show that none comes. */
    static final long NEVER = 300;

    private static final AtomicInteger NAMES = new AtomicInteger();

    private final String uri;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    Jms(String uri) {
        this.uri = uri;
    }

    MetaQConnectionFactory factory() {
        return new MetaQConnectionFactory(uri + "?trustedClasses=io.metaq.tck.jms.*");
    }

    String uri() {
        return uri;
    }

    /** A new name. */
    String name() {
        return "tck-" + ProcessHandle.current().pid() + "-" + NAMES.incrementAndGet();
    }

    Queue queue() throws JMSException {
        return session().createQueue(name());
    }

    Topic topic() throws JMSException {
        return session().createTopic(name());
    }

    /** A new connection, not started. */
    Connection connect() throws JMSException {
        return closing(factory().createConnection());
    }

    /** A new connection with this client identifier, not started. */
    Connection connect(String clientId) throws JMSException {
        Connection connection = connect();
        connection.setClientID(clientId);
        return connection;
    }

    /** A new connection, started. */
    Connection started() throws JMSException {
        Connection connection = connect();
        connection.start();
        return connection;
    }

    /** A session that acknowledges by itself, on a started connection of its own. */
    Session session() throws JMSException {
        return session(Session.AUTO_ACKNOWLEDGE);
    }

    /** A session on a started connection of its own. */
    Session session(int mode) throws JMSException {
        return started().createSession(mode);
    }

    JMSContext context() {
        return context(JMSContext.AUTO_ACKNOWLEDGE);
    }

    JMSContext context(int mode) {
        return closing(factory().createContext(mode));
    }

    /** Closes it when the test ends, the last one first. */
    synchronized <T extends AutoCloseable> T closing(T resource) {
        opened.push(resource);
        return resource;
    }

    @Override
    public synchronized void close() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }

    /** Sends texts in their order, on a connection of its own. */
    void send(Destination destination, String... texts) throws JMSException {
        send(session(), destination, texts);
    }

    static void send(Session session, Destination destination, String... texts) throws JMSException {
        try (MessageProducer producer = session.createProducer(destination)) {
            for (String text : texts) {
                producer.send(session.createTextMessage(text));
            }
        }
    }

    /** Sends one message to a new queue and receives it there. */
    @SuppressWarnings("unchecked")
    <M extends Message> M through(Session session, M message) throws JMSException {
        Queue queue = session.createQueue(name());
        try (MessageProducer producer = session.createProducer(queue);
                MessageConsumer consumer = session.createConsumer(queue)) {
            producer.send(message);
            return (M) next(consumer);
        }
    }

    /** The next message, which must come. */
    static Message next(MessageConsumer consumer) throws JMSException {
        Message message = consumer.receive(SOON);
        if (message == null) {
            throw new AssertionError("no message came in " + SOON + " ms");
        }
        return message;
    }

    /** The text of the next message, which must come. */
    static String text(MessageConsumer consumer) throws JMSException {
        return ((TextMessage) next(consumer)).getText();
    }

    /** The texts of so many messages, which must come. */
    static List<String> texts(MessageConsumer consumer, int count) throws JMSException {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            texts.add(text(consumer));
        }
        return texts;
    }

    /** What comes although nothing should; null if nothing does. */
    static @Nullable Message unexpected(MessageConsumer consumer) throws JMSException {
        return consumer.receive(NEVER);
    }
}
