package io.metaq.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.jms.broker.BrokerExtension;
import io.metaq.jms.broker.LocalBroker;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who would have to wait for itself is told so; who would not, succeeds. */
@ExtendWith(BrokerExtension.class)
@Timeout(60)
class ClosingInCallbacksTest {

    private static final long SOON = 30_000;

    private final LocalBroker broker;
    private final String name;

    ClosingInCallbacksTest(LocalBroker broker, TestInfo test) {
        this.broker = broker;
        this.name = "callbacks-" + test.getTestMethod().orElseThrow().getName();
    }

    @Test
    void shouldRefuseInAMessageListenerWhatWouldWaitForIt() throws Exception {
        try (Connection connection = broker.factory().createConnection()) {
            Session session = connection.createSession();
            CompletableFuture<Boolean> checked = new CompletableFuture<>();
            MessageConsumer consumer = listen(session, checked, () -> {
                refused(session::close);
                refused(connection::close);
                refused(connection::stop);
            });
            begin(connection, session);
            assertThat(checked.get(SOON, TimeUnit.MILLISECONDS)).isTrue();
            consumer.close();
        }
    }

    @Test
    void shouldLetAListenerCloseItsOwnConsumerAndOtherSessions() throws Exception {
        try (Connection connection = broker.factory().createConnection()) {
            Session session = connection.createSession();
            Session other = connection.createSession();
            CompletableFuture<Boolean> checked = new CompletableFuture<>();
            MessageConsumer[] consumer = new MessageConsumer[1];
            consumer[0] = listen(session, checked, () -> {
                consumer[0].close();
                other.close();
            });
            begin(connection, session);
            assertThat(checked.get(SOON, TimeUnit.MILLISECONDS)).isTrue();
            session.close();
            assertThat(connection
                            .createSession()
                            .createConsumer(queue(connection))
                            .receiveNoWait())
                    .isNull();
        }
    }

    @Test
    void shouldRefuseTheListenerWhileAnotherThreadCloses() throws Exception {
        Connection connection = broker.factory().createConnection();
        Session session = connection.createSession();
        CountDownLatch closing = new CountDownLatch(1);
        CompletableFuture<Boolean> checked = new CompletableFuture<>();
        CompletableFuture<Boolean> called = new CompletableFuture<>();
        listen(session, checked, () -> {
            called.complete(true);
            assertThat(closing.await(SOON, TimeUnit.MILLISECONDS)).isTrue();
            refused(connection::close);
        });
        begin(connection, session);
        called.get(SOON, TimeUnit.MILLISECONDS);
        Thread closer = new Thread(() -> {
            closing.countDown();
            try {
                connection.close();
            } catch (JMSException e) {
                checked.completeExceptionally(e);
            }
        });
        closer.start();
        assertThat(checked.get(SOON, TimeUnit.MILLISECONDS)).isTrue();
        closer.join(SOON);
        assertThat(closer.isAlive()).isFalse();
    }

    @Test
    void shouldRefuseInACompletionListenerWhatWouldWaitForIt() throws Exception {
        try (Connection connection = broker.factory().createConnection()) {
            Session session = connection.createSession(Session.SESSION_TRANSACTED);
            MessageProducer producer = session.createProducer(queue(connection));
            CompletableFuture<Boolean> checked = new CompletableFuture<>();
            producer.send(session.createTextMessage("x"), new CompletionListener() {
                @Override
                public void onCompletion(Message message) {
                    check(checked, () -> {
                        refused(producer::close);
                        refused(session::close);
                        refused(session::commit);
                        refused(session::rollback);
                        refused(connection::close);
                        // The session may be used.
                        session.createProducer(session.createQueue(name)).close();
                    });
                }

                @Override
                public void onException(Message message, Exception exception) {
                    checked.completeExceptionally(exception);
                }
            });
            assertThat(checked.get(SOON, TimeUnit.MILLISECONDS)).isTrue();
        }
    }

    @Test
    void shouldRefuseInAContextsListenerWhatWouldWaitForIt() throws Exception {
        try (JMSContext context = broker.factory().createContext()) {
            Queue queue = context.createQueue(name);
            CompletableFuture<Boolean> checked = new CompletableFuture<>();
            context.createConsumer(queue)
                    .setMessageListener(message -> check(checked, () -> {
                        assertThatThrownBy(context::close).isInstanceOf(IllegalStateRuntimeException.class);
                        assertThatThrownBy(context::stop).isInstanceOf(IllegalStateRuntimeException.class);
                    }));
            context.createProducer().send(queue, "x");
            assertThat(checked.get(SOON, TimeUnit.MILLISECONDS)).isTrue();
        }
    }

    @Test
    void shouldLetAnExceptionListenerCloseItsConnection() throws Exception {
        Connection connection = broker.factory("trustedClasses=*").createConnection();
        CompletableFuture<Boolean> closed = new CompletableFuture<>();
        connection.setExceptionListener(failure -> check(closed, connection::close));
        Session session = connection.createSession();
        MessageProducer producer = session.createProducer(session.createTemporaryQueue());
        ((jakarta.jms.TemporaryQueue) producer.getDestination()).delete();
        // Nobody waits for it, so the failure goes to the listener.
        producer.send(session.createTextMessage("x"), jakarta.jms.DeliveryMode.NON_PERSISTENT, 4, 0);
        assertThat(closed.get(SOON, TimeUnit.MILLISECONDS)).isTrue();
        assertThatThrownBy(connection::start).isInstanceOf(IllegalStateException.class);
    }

    private interface Check {
        void run() throws Exception;
    }

    private static void check(CompletableFuture<Boolean> result, Check check) {
        try {
            check.run();
            result.complete(true);
        } catch (Exception | AssertionError e) {
            result.completeExceptionally(e);
        }
    }

    private static void refused(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(IllegalStateException.class);
    }

    private MessageConsumer listen(Session session, CompletableFuture<Boolean> result, Check check)
            throws JMSException {
        MessageConsumer consumer = session.createConsumer(session.createQueue(name));
        consumer.setMessageListener(message -> check(result, check));
        return consumer;
    }

    private void begin(Connection connection, Session session) throws JMSException {
        connection.start();
        try (Connection sending = broker.factory().createConnection()) {
            Session sender = sending.createSession();
            sender.createProducer(sender.createQueue(name)).send(sender.createTextMessage("x"));
        }
        assertThat(session.getTransacted()).isFalse();
    }

    private Queue queue(Connection connection) throws JMSException {
        try (Session session = connection.createSession()) {
            return session.createQueue(name);
        }
    }
}
