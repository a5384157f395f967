package io.metaq.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.jms.broker.LocalBroker;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TransactionRolledBackException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Local transactions that are too big to wait in the client. */
@Timeout(60)
class BigTransactionTest {

    private static final long SOON = 30_000;
    private static final int COUNT = 100;

    @TempDir
    Path directory;

    @Test
    void shouldShowAllOrNothing() throws Exception {
        try (LocalBroker broker = new LocalBroker(directory);
                Connection connection = broker.factory().createConnection()) {
            connection.start();
            Session session = connection.createSession(Session.SESSION_TRANSACTED);
            Session plain = connection.createSession();
            Queue queue = session.createQueue("big");
            MessageConsumer watcher = plain.createConsumer(queue);
            send(session, queue);
            assertThat(watcher.receiveNoWait()).isNull();
            session.rollback();
            assertThat(watcher.receiveNoWait()).isNull();
            send(session, queue);
            session.commit();
            for (int i = 0; i < COUNT; i++) {
                assertThat(watcher.receive(SOON).getIntProperty("n")).isEqualTo(i);
            }
            assertThat(watcher.receiveNoWait()).isNull();
        }
    }

    @Test
    void shouldForgetWhatAClosedSessionDidNotCommit() throws Exception {
        try (LocalBroker broker = new LocalBroker(directory);
                Connection connection = broker.factory().createConnection()) {
            connection.start();
            Session session = connection.createSession(Session.SESSION_TRANSACTED);
            Queue queue = session.createQueue("big-closed");
            send(session, queue);
            session.close();
            Session plain = connection.createSession();
            assertThat(plain.createConsumer(queue).receiveNoWait()).isNull();
        }
    }

    @Test
    void shouldSayThatItIsRolledBackWhenTheBrokerRestartedInBetween() throws Exception {
        try (LocalBroker broker = new LocalBroker(directory);
                Connection connection = broker.factory().createConnection()) {
            connection.start();
            Session session = connection.createSession(Session.SESSION_TRANSACTED);
            Queue queue = session.createQueue("big-restarted");
            send(session, queue);
            broker.restart();
            assertThatThrownBy(session::commit).isInstanceOf(TransactionRolledBackException.class);
            assertThat(connection.createSession().createConsumer(queue).receiveNoWait())
                    .isNull();
        }
    }

    private static void send(Session session, Queue queue) throws JMSException {
        MessageProducer producer = session.createProducer(queue);
        String text = "x".repeat(100_000);
        for (int i = 0; i < COUNT; i++) {
            var message = session.createTextMessage(text);
            message.setIntProperty("n", i);
            producer.send(message);
        }
        producer.close();
    }
}
