package io.metaq.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.metaq.jms.broker.LocalBroker;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TextMessage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The broker stops and starts again; connections live on. */
@Timeout(60)
class ReconnectTest {

    private static final long SOON = 60_000;

    @TempDir
    Path directory;

    @Test
    void shouldGoOnSendingAndListeningWhenTheBrokerRestarts() throws Exception {
        Set<String> seen = Collections.synchronizedSet(new LinkedHashSet<>());
        AtomicReference<JMSException> reported = new AtomicReference<>();
        try (LocalBroker broker = new LocalBroker(directory);
                Connection connection = broker.factory().createConnection()) {
            connection.setExceptionListener(reported::set);
            Session listening = connection.createSession();
            Queue queue = listening.createQueue("restarted");
            listening.createConsumer(queue).setMessageListener(message -> seen.add(text(message)));
            connection.start();
            Session sending = connection.createSession();
            MessageProducer producer = sending.createProducer(queue);
            for (int i = 0; i < 300; i++) {
                if (i == 150) {
                    broker.restart();
                }
                producer.send(sending.createTextMessage("m" + i));
            }
            await().atMost(Duration.ofSeconds(20)).until(() -> seen.size() == 300);
        }
        assertThat(reported.get()).isNull();
    }

    @Test
    void shouldWakeAReceiveThatWaitedThroughTheRestart() throws Exception {
        try (LocalBroker broker = new LocalBroker(directory);
                Connection connection = broker.factory().createConnection()) {
            connection.start();
            Session session = connection.createSession();
            Queue queue = session.createQueue("patient");
            MessageConsumer consumer = session.createConsumer(queue);
            CompletableFuture<Message> received = CompletableFuture.supplyAsync(() -> {
                try {
                    return consumer.receive();
                } catch (JMSException e) {
                    throw new IllegalStateException(e);
                }
            });
            broker.restart();
            Session sending = connection.createSession();
            sending.createProducer(queue).send(sending.createTextMessage("after"));

            assertThat(text(received.get(SOON, TimeUnit.MILLISECONDS))).isEqualTo("after");
        }
    }

    @Test
    void shouldCommitWhatItBeganBeforeTheRestart() throws Exception {
        try (LocalBroker broker = new LocalBroker(directory);
                Connection connection = broker.factory().createConnection()) {
            connection.start();
            Session session = connection.createSession(Session.SESSION_TRANSACTED);
            Queue queue = session.createQueue("committed");
            session.createProducer(queue).send(session.createTextMessage("kept"));
            broker.restart();
            session.commit();

            assertThat(text(session.createConsumer(queue).receive(SOON))).isEqualTo("kept");
        }
    }

    @Test
    void shouldMarkAsRedeliveredWhatWasShownBeforeTheRestart() throws Exception {
        try (LocalBroker broker = new LocalBroker(directory);
                Connection connection = broker.factory().createConnection()) {
            connection.start();
            Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
            Queue queue = session.createQueue("shown");
            MessageProducer producer = session.createProducer(queue);
            producer.send(session.createTextMessage("first"));
            producer.send(session.createTextMessage("second"));
            MessageConsumer consumer = session.createConsumer(queue);
            assertThat(consumer.receive(SOON).getJMSRedelivered()).isFalse();
            broker.restart();

            Message again = consumer.receive(SOON);
            assertThat(text(again)).isEqualTo("first");
            assertThat(again.getJMSRedelivered()).isTrue();
            assertThat(text(consumer.receive(SOON))).isEqualTo("second");
        }
    }

    @Test
    void shouldHaveItsTemporaryQueuesAgainAfterTheRestart() throws Exception {
        try (LocalBroker broker = new LocalBroker(directory);
                Connection connection = broker.factory().createConnection()) {
            connection.start();
            Session session = connection.createSession();
            TemporaryQueue replies = session.createTemporaryQueue();
            MessageConsumer consumer = session.createConsumer(replies);
            broker.restart();
            session.createProducer(replies).send(session.createTextMessage("reply"));

            assertThat(text(consumer.receive(SOON))).isEqualTo("reply");
        }
    }

    @Test
    void shouldTellTheExceptionListenerAndReceiversWhenItGivesUp() throws Exception {
        AtomicReference<JMSException> reported = new AtomicReference<>();
        try (LocalBroker broker = new LocalBroker(directory);
                Connection connection = broker.factory("reconnectTimeout=500").createConnection()) {
            connection.setExceptionListener(reported::set);
            connection.start();
            Session session = connection.createSession();
            MessageConsumer consumer = session.createConsumer(session.createQueue("given-up"));
            broker.stop();

            assertThatThrownBy(consumer::receive)
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("did not come back within 500 ms");
            await().untilAsserted(() -> assertThat(reported.get()).isNotNull());
        }
    }

    @Test
    void shouldNameTheAddressWhenNobodyAnswers() {
        assertThatThrownBy(
                        () -> new MetaQConnectionFactory("metaq://127.0.0.1:1?requestTimeout=500").createConnection())
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("127.0.0.1:1");
    }

    private static String text(Message message) {
        assertThat(message).isNotNull();
        try {
            return ((TextMessage) message).getText();
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }
}
