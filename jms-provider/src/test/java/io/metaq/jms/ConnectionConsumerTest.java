package io.metaq.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.metaq.jms.broker.BrokerExtension;
import io.metaq.jms.broker.LocalBroker;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionConsumer;
import jakarta.jms.JMSException;
import jakarta.jms.MessageListener;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.ServerSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Sessions that an application server lends to a connection's consumer. */
@ExtendWith(BrokerExtension.class)
@Timeout(60)
class ConnectionConsumerTest {

    private static final long SOON = 30_000;

    private final LocalBroker broker;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    ConnectionConsumerTest(LocalBroker broker) {
        this.broker = broker;
    }

    @AfterEach
    void end() {
        threads.shutdown();
    }

    @Test
    void shouldSpreadMessagesOverThePoolsSessions() throws Exception {
        int count = 200;
        Set<String> seen = ConcurrentHashMap.newKeySet();
        CountDownLatch all = new CountDownLatch(count);
        try (Connection connection = broker.factory().createConnection()) {
            Queue queue = fill(connection, "pooled", count);
            Pool pool = new Pool(connection, 3, Session.AUTO_ACKNOWLEDGE, message -> {
                seen.add(text((TextMessage) message));
                all.countDown();
            });
            ConnectionConsumer consumer = connection.createConnectionConsumer(queue, null, pool, 7);
            assertThat(consumer.getServerSessionPool()).isSameAs(pool);
            connection.start();
            assertThat(all.await(SOON, TimeUnit.MILLISECONDS)).isTrue();
            consumer.close();
            assertThatThrownBy(consumer::getServerSessionPool).isInstanceOf(jakarta.jms.IllegalStateException.class);
        }
        assertThat(seen).hasSize(count);
    }

    @Test
    void shouldRedeliverToAnotherSessionWhatOneFailedWith() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        CountDownLatch twice = new CountDownLatch(2);
        try (Connection connection = broker.factory().createConnection()) {
            Queue queue = fill(connection, "pooled-failing", 1);
            Pool pool = new Pool(connection, 2, Session.AUTO_ACKNOWLEDGE, message -> {
                twice.countDown();
                if (calls.incrementAndGet() == 1) {
                    throw new IllegalStateException("on purpose");
                }
            });
            connection.createConnectionConsumer(queue, null, pool, 1);
            connection.start();
            assertThat(twice.await(SOON, TimeUnit.MILLISECONDS)).isTrue();
        }
    }

    @Test
    void shouldConsumeFromSharedDurableSubscriptions() throws Exception {
        CountDownLatch one = new CountDownLatch(1);
        try (Connection connection = broker.factory().createConnection()) {
            connection.setClientID("pooled-durable");
            Session session = connection.createSession();
            Topic topic = session.createTopic("pooled-topic");
            Pool pool = new Pool(connection, 1, Session.AUTO_ACKNOWLEDGE, message -> one.countDown());
            ConnectionConsumer consumer =
                    connection.createSharedDurableConnectionConsumer(topic, "pooled", null, pool, 1);
            connection.start();
            session.createProducer(topic).send(session.createTextMessage("x"));
            assertThat(one.await(SOON, TimeUnit.MILLISECONDS)).isTrue();
            // Before the session is back its message is not acknowledged, and the subscription in use.
            await().until(() -> pool.free.size() == 1);
            consumer.close();
            session.unsubscribe("pooled");
        }
    }

    @Test
    void shouldKeepTopicsOutOfQueueConnections() throws Exception {
        try (QueueConnection connection = broker.factory().createQueueConnection()) {
            Pool pool = new Pool(connection, 1, Session.AUTO_ACKNOWLEDGE, message -> {});
            Topic topic = new io.metaq.jms.destination.MetaQTopic("pooled-topic");
            assertThatThrownBy(() -> connection.createDurableConnectionConsumer(topic, "x", null, pool, 1))
                    .isInstanceOf(jakarta.jms.IllegalStateException.class);
        }
    }

    private static Queue fill(Connection connection, String name, int count) throws JMSException {
        Session session = connection.createSession();
        Queue queue = session.createQueue(name);
        MessageProducer producer = session.createProducer(queue);
        for (int i = 0; i < count; i++) {
            producer.send(session.createTextMessage("m" + i));
        }
        session.close();
        return queue;
    }

    private static String text(TextMessage message) {
        try {
            return message.getText();
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A pool as an application server has it: hands sessions out, runs them on threads of its own, takes them back. */
    private final class Pool implements ServerSessionPool {

        private final BlockingQueue<ServerSession> free = new LinkedBlockingQueue<>();

        Pool(Connection connection, int size, int mode, MessageListener listener) throws JMSException {
            for (int i = 0; i < size; i++) {
                Session session = connection.createSession(mode);
                session.setMessageListener(listener);
                free.add(new Lent(session));
            }
        }

        @Override
        public ServerSession getServerSession() throws JMSException {
            try {
                return free.take();
            } catch (InterruptedException e) {
                throw new JMSException("interrupted");
            }
        }

        private final class Lent implements ServerSession {
            private final Session session;

            Lent(Session session) {
                this.session = session;
            }

            @Override
            public Session getSession() {
                return session;
            }

            @Override
            public void start() {
                threads.execute(() -> {
                    session.run();
                    free.add(this);
                });
            }
        }
    }
}
