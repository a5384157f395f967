package io.metaq.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.jms.broker.BrokerExtension;
import io.metaq.jms.broker.LocalBroker;
import io.metaq.jms.session.MetaQSession;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What every application does, in each of its ways. */
@ExtendWith(BrokerExtension.class)
@Timeout(60)
class RoundTripTest {

    private static final long SOON = 30_000;

    private final LocalBroker broker;

    RoundTripTest(LocalBroker broker) {
        this.broker = broker;
    }

    @Test
    void shouldReceiveWhatWasSent() throws Exception {
        try (Connection connection = broker.factory().createConnection()) {
            connection.start();
            Session session = connection.createSession();
            Queue queue = session.createQueue("roundtrip");
            session.createProducer(queue).send(session.createTextMessage("hello"));

            TextMessage received = (TextMessage) session.createConsumer(queue).receive(SOON);

            assertThat(received.getText()).isEqualTo("hello");
            assertThat(received.getJMSMessageID()).startsWith("ID:");
            assertThat(received.getJMSDestination()).isEqualTo(queue);
            assertThat(received.getJMSRedelivered()).isFalse();
            assertThat(received.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        }
    }

    @Test
    void shouldReceiveABacklogInOrder() throws Exception {
        int count = 5000;
        try (Connection connection = broker.factory().createConnection()) {
            connection.start();
            Session session = connection.createSession();
            Queue queue = session.createQueue("backlog");
            MessageProducer producer = session.createProducer(queue);
            producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            for (int i = 0; i < count; i++) {
                producer.send(session.createTextMessage("m" + i));
            }
            MessageConsumer consumer = session.createConsumer(queue);
            for (int i = 0; i < count; i++) {
                TextMessage next = (TextMessage) consumer.receive(SOON);
                assertThat(next).as("message %d", i).isNotNull();
                assertThat(next.getText()).isEqualTo("m" + i);
            }
            assertThat(consumer.receiveNoWait()).isNull();
        }
    }

    @Test
    void shouldCallAListenerWithEachMessageInOrder() throws Exception {
        int count = 3000;
        List<String> seen = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch all = new CountDownLatch(count);
        try (Connection connection = broker.factory().createConnection()) {
            Session session = connection.createSession();
            Queue queue = session.createQueue("listener");
            session.createConsumer(queue).setMessageListener(message -> {
                seen.add(text(message));
                all.countDown();
            });
            connection.start();
            Session sending = connection.createSession();
            MessageProducer producer = sending.createProducer(queue);
            for (int i = 0; i < count; i++) {
                producer.send(sending.createTextMessage("m" + i), DeliveryMode.NON_PERSISTENT, 4, 0);
            }
            assertThat(all.await(20, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(seen).hasSize(count).startsWith("m0", "m1").endsWith("m" + (count - 1));
    }

    @Test
    void shouldLetATransactionSendAndReceiveAllOrNothing() throws Exception {
        try (Connection connection = broker.factory().createConnection()) {
            connection.start();
            Session transacted = connection.createSession(Session.SESSION_TRANSACTED);
            Session plain = connection.createSession();
            Queue in = transacted.createQueue("tx-in");
            Queue out = transacted.createQueue("tx-out");
            plain.createProducer(in).send(plain.createTextMessage("order"));
            MessageConsumer taker = transacted.createConsumer(in);
            MessageConsumer watcher = plain.createConsumer(out);
            MessageProducer giver = transacted.createProducer(out);

            assertThat(text(taker.receive(SOON))).isEqualTo("order");
            giver.send(transacted.createTextMessage("lost"));
            assertThat(watcher.receiveNoWait()).isNull();
            transacted.rollback();

            Message again = taker.receive(SOON);
            assertThat(text(again)).isEqualTo("order");
            assertThat(again.getJMSRedelivered()).isTrue();
            assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
            giver.send(transacted.createTextMessage("done"));
            transacted.commit();

            assertThat(text(watcher.receive(SOON))).isEqualTo("done");
            assertThat(taker.receiveNoWait()).isNull();
        }
    }

    @Test
    void shouldRedeliverAllUnacknowledgedInOrderAfterRecover() throws Exception {
        try (Connection connection = broker.factory().createConnection()) {
            connection.start();
            Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
            Queue queue = session.createQueue("recover");
            MessageProducer producer = session.createProducer(queue);
            for (int i = 0; i < 5; i++) {
                producer.send(session.createTextMessage("m" + i));
            }
            MessageConsumer consumer = session.createConsumer(queue);
            consumer.receive(SOON).acknowledge();
            for (int i = 1; i < 4; i++) {
                assertThat(text(consumer.receive(SOON))).isEqualTo("m" + i);
            }
            session.recover();
            for (int i = 1; i < 5; i++) {
                Message message = consumer.receive(SOON);
                assertThat(text(message)).isEqualTo("m" + i);
                assertThat(message.getJMSRedelivered()).isEqualTo(i < 4);
                message.acknowledge();
            }
            assertThat(consumer.receiveNoWait()).isNull();
        }
    }

    @Test
    void shouldAcknowledgeSingleMessagesInTheModeForIt() throws Exception {
        try (Connection connection = broker.factory().createConnection()) {
            connection.start();
            Session session = connection.createSession(MetaQSession.INDIVIDUAL_ACKNOWLEDGE);
            Queue queue = session.createQueue("individual");
            MessageProducer producer = session.createProducer(queue);
            for (int i = 0; i < 3; i++) {
                producer.send(session.createTextMessage("m" + i));
            }
            MessageConsumer consumer = session.createConsumer(queue);
            consumer.receive(SOON);
            consumer.receive(SOON).acknowledge();
            consumer.receive(SOON);
            session.close();

            Session next = connection.createSession();
            MessageConsumer rest = next.createConsumer(queue);
            assertThat(text(rest.receive(SOON))).isEqualTo("m0");
            Message last = rest.receive(SOON);
            assertThat(text(last)).isEqualTo("m2");
            assertThat(last.getJMSRedelivered()).isTrue();
        }
    }

    @Test
    void shouldRedeliverAtOnceWhatAListenerFailedWith() throws Exception {
        List<String> seen = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch all = new CountDownLatch(4);
        try (Connection connection = broker.factory().createConnection()) {
            Session session = connection.createSession();
            Queue queue = session.createQueue("failing");
            MessageProducer producer = session.createProducer(queue);
            for (int i = 0; i < 3; i++) {
                producer.send(session.createTextMessage("m" + i));
            }
            session.createConsumer(queue).setMessageListener(message -> {
                seen.add(text(message));
                all.countDown();
                if (seen.size() == 2) {
                    throw new IllegalStateException("on purpose");
                }
            });
            connection.start();
            assertThat(all.await(10, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(seen).containsExactly("m0", "m1", "m1", "m2");
    }

    @Test
    void shouldBrowseWithoutTaking() throws Exception {
        try (Connection connection = broker.factory().createConnection()) {
            connection.start();
            Session session = connection.createSession();
            Queue queue = session.createQueue("browsed");
            MessageProducer producer = session.createProducer(queue);
            for (int i = 0; i < 250; i++) {
                producer.send(session.createTextMessage("m" + i), DeliveryMode.NON_PERSISTENT, 4, 0);
            }
            try (QueueBrowser browser = session.createBrowser(queue)) {
                assertThat(Collections.list(browser.getEnumeration())).hasSize(250);
                assertThat(Collections.list(browser.getEnumeration())).hasSize(250);
            }
            assertThat(text(session.createConsumer(queue).receive(SOON))).isEqualTo("m0");
        }
    }

    @Test
    void shouldAnswerOverTemporaryQueues() throws Exception {
        try (Connection asking = broker.factory().createConnection();
                Connection answering = broker.factory().createConnection()) {
            asking.start();
            answering.start();
            Session server = answering.createSession();
            server.createConsumer(server.createQueue("requests")).setMessageListener(request -> {
                try {
                    server.createProducer(null)
                            .send(request.getJMSReplyTo(), server.createTextMessage("re: " + text(request)));
                } catch (JMSException e) {
                    throw new IllegalStateException(e);
                }
            });
            Session client = asking.createSession();
            TemporaryQueue replies = client.createTemporaryQueue();
            MessageConsumer consumer = client.createConsumer(replies);
            TextMessage request = client.createTextMessage("what");
            request.setJMSReplyTo(replies);
            client.createProducer(client.createQueue("requests")).send(request);

            assertThat(text(consumer.receive(SOON))).isEqualTo("re: what");
            assertThatThrownBy(replies::delete).isInstanceOf(JMSException.class);
            consumer.close();
            replies.delete();
        }
    }

    @Test
    void shouldKeepADurableSubscriptionWhileNobodyIsThere() throws Exception {
        try (JMSContext context = broker.factory().createContext()) {
            context.setClientID("round-trip");
            Topic topic = context.createTopic("durable");
            context.createDurableConsumer(topic, "mine").close();
            context.createProducer().send(topic, "kept");
            try (JMSConsumer consumer = context.createDurableConsumer(topic, "mine")) {
                assertThat(consumer.receiveBody(String.class, SOON)).isEqualTo("kept");
            }
            context.unsubscribe("mine");
            assertThatThrownBy(() -> context.unsubscribe("mine"))
                    .isInstanceOf(jakarta.jms.InvalidDestinationRuntimeException.class);
        }
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
