package io.metaq.tck.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueReceiver;
import jakarta.jms.QueueSender;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicPublisher;
import jakarta.jms.TopicSession;
import jakarta.jms.TopicSubscriber;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Every method of every closed object but {@code close}. */
@Conformance
class ClosedObjectsTest {
    /** Of a session, which make messages or name destinations and which the specification leaves open in part. */
    private static final Set<String> ANY = Set.of("close", "run");

    /** Calls each method of an interface with arguments that would do on an open object. */
    private static void assertAllRefused(Class<?> type, Object closed, Class<? extends Throwable> refusal, Session open)
            throws Exception {
        for (Method method : type.getMethods()) {
            if (ANY.contains(method.getName()) || method.isDefault()) {
                continue;
            }
            Object[] arguments = new Object[method.getParameterCount()];
            for (int i = 0; i < arguments.length; i++) {
                arguments[i] = argument(method.getParameterTypes()[i], open);
            }
            assertThatThrownBy(() -> call(method, closed, arguments))
                    .as("%s", method)
                    .isInstanceOf(refusal);
        }
    }

    private static void call(Method method, Object target, Object[] arguments) throws Throwable {
        try {
            method.setAccessible(true);
            method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static Object argument(Class<?> type, Session open) throws JMSException {
        if (type == Queue.class || type == Destination.class) {
            return open.createQueue("closed");
        }
        if (type == Topic.class) {
            return open.createTopic("closed");
        }
        if (type == Message.class) {
            return open.createMessage();
        }
        if (type == int.class) {
            return 1;
        }
        if (type == long.class) {
            return 1L;
        }
        if (type == boolean.class) {
            return false;
        }
        if (type == String.class) {
            return "n = 1";
        }
        if (type == Class.class) {
            return String.class;
        }
        if (type == jakarta.jms.CompletionListener.class) {
            return new Completion(new CompletableFuture<>());
        }
        return null;
    }

    @Test
    @Covers(sections = "6.1.8", rules = 27)
    void shouldRefuseEveryUseOfAClosedConnectionAndWhatItMade(Jms jms) throws Exception {
        Session open = jms.session();
        Connection connection = jms.started();
        Session session = connection.createSession();
        MessageProducer producer = session.createProducer(open.createQueue("closed"));
        MessageConsumer consumer = session.createConsumer(open.createQueue("closed"));
        QueueBrowser browser = session.createBrowser(open.createQueue("closed"));
        connection.close();
        connection.close();
        session.close();
        producer.close();
        consumer.close();
        browser.close();

        assertAllRefused(Connection.class, connection, IllegalStateException.class, open);
        assertAllRefused(Session.class, session, IllegalStateException.class, open);
        assertAllRefused(MessageProducer.class, producer, IllegalStateException.class, open);
        assertAllRefused(MessageConsumer.class, consumer, IllegalStateException.class, open);
        assertAllRefused(QueueBrowser.class, browser, IllegalStateException.class, open);
    }

    @Test
    @Covers(
            sections = {"6.1.8", "9.2"},
            rules = 27)
    void shouldRefuseEveryUseOfClosedObjectsOfTheDomains(Jms jms) throws Exception {
        Session open = jms.session();
        QueueConnection queues = jms.closing(jms.factory().createQueueConnection());
        TopicConnection topics = jms.closing(jms.factory().createTopicConnection());
        QueueSession queueSession = queues.createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
        TopicSession topicSession = topics.createTopicSession(false, Session.AUTO_ACKNOWLEDGE);
        QueueSender sender = queueSession.createSender(open.createQueue("closed"));
        QueueReceiver receiver = queueSession.createReceiver(open.createQueue("closed"));
        TopicPublisher publisher = topicSession.createPublisher(jms.topic());
        TopicSubscriber subscriber = topicSession.createSubscriber(jms.topic());
        queues.close();
        topics.close();

        assertAllRefused(QueueConnection.class, queues, IllegalStateException.class, open);
        assertAllRefused(TopicConnection.class, topics, IllegalStateException.class, open);
        assertAllRefused(QueueSession.class, queueSession, IllegalStateException.class, open);
        assertAllRefused(TopicSession.class, topicSession, IllegalStateException.class, open);
        assertAllRefused(QueueSender.class, sender, IllegalStateException.class, open);
        assertAllRefused(QueueReceiver.class, receiver, IllegalStateException.class, open);
        assertAllRefused(TopicPublisher.class, publisher, IllegalStateException.class, open);
        assertAllRefused(TopicSubscriber.class, subscriber, IllegalStateException.class, open);
    }

    @Test
    @Covers(sections = "6.2.15", rules = 27)
    void shouldRefuseEveryUseOfAClosedSession(Jms jms) throws Exception {
        Connection connection = jms.started();
        Session session = connection.createSession();
        MessageProducer producer = session.createProducer(jms.queue());
        session.close();
        session.close();

        assertAllRefused(Session.class, session, IllegalStateException.class, connection.createSession());
        assertAllRefused(MessageProducer.class, producer, IllegalStateException.class, connection.createSession());
    }

    @Test
    @Covers(
            sections = {"8.8", "7.1"},
            rules = 27)
    void shouldRefuseEveryUseOfAClosedConsumerOrProducer(Jms jms) throws Exception {
        Session session = jms.session();
        MessageConsumer consumer = session.createConsumer(jms.queue());
        MessageProducer producer = session.createProducer(jms.queue());
        consumer.close();
        producer.close();

        assertAllRefused(MessageConsumer.class, consumer, IllegalStateException.class, session);
        assertAllRefused(MessageProducer.class, producer, IllegalStateException.class, session);
    }

    @Test
    @Covers(
            sections = "6.1.8",
            rules = {27, 31})
    void shouldRefuseEveryUseOfAClosedContext(Jms jms) throws Exception {
        JMSContext context = jms.context(JMSContext.SESSION_TRANSACTED);
        JMSConsumer consumer = context.createConsumer(jms.queue());
        context.close();
        context.close();

        for (Method method : JMSConsumer.class.getMethods()) {
            if (!ANY.contains(method.getName())) {
                Object[] arguments = new Object[method.getParameterCount()];
                for (int i = 0; i < arguments.length; i++) {
                    arguments[i] = argument(method.getParameterTypes()[i], jms.session());
                }
                assertThatThrownBy(() -> call(method, consumer, arguments))
                        .as("%s", method)
                        .isInstanceOf(IllegalStateRuntimeException.class);
            }
        }
        assertThatThrownBy(() -> context.createConsumer(jms.queue())).isInstanceOf(IllegalStateRuntimeException.class);
        assertThatThrownBy(context::createTextMessage).isInstanceOf(IllegalStateRuntimeException.class);
        assertThatThrownBy(context::commit).isInstanceOf(IllegalStateRuntimeException.class);
        assertThatThrownBy(context::start).isInstanceOf(IllegalStateRuntimeException.class);
        assertThatThrownBy(() -> context.createContext(1)).isInstanceOf(IllegalStateRuntimeException.class);
    }

    @Test
    @Covers(
            sections = {"6.1.8", "6.2.15", "8.8"},
            rules = 27)
    void shouldWakeReceivesWithNullAtClose(Jms jms) throws Exception {
        for (int closing = 0; closing < 3; closing++) {
            Connection connection = jms.started();
            Session session = connection.createSession();
            MessageConsumer consumer = session.createConsumer(jms.queue());
            CompletableFuture<Message> waiting = new CompletableFuture<>();
            Thread receiver = new Thread(() -> receiveInto(waiting, consumer));
            receiver.start();
            Awaitility.await().until(() -> receiver.getState() != Thread.State.RUNNABLE);
            java.util.List.<AutoCloseable>of(consumer, session, connection)
                    .get(closing)
                    .close();
            assertThat(waiting.get(10, TimeUnit.SECONDS)).isNull();
        }
    }

    private static void receiveInto(CompletableFuture<Message> outcome, MessageConsumer consumer) {
        try {
            outcome.complete(consumer.receive());
        } catch (JMSException e) {
            outcome.completeExceptionally(e);
        }
    }

    @Test
    @Covers(sections = "6.1.8", rules = 27)
    void shouldKeepMessagesOfAClosedConnectionReadable(Jms jms) throws Exception {
        Queue queue = jms.queue();
        jms.send(queue, "a");
        Connection connection = jms.started();
        Message message = Jms.next(connection.createSession().createConsumer(queue));
        connection.close();

        assertThat(message.getBody(String.class)).isEqualTo("a");
        assertThat(message.getJMSDestination()).isEqualTo(queue);
        message.clearBody();
    }
}
