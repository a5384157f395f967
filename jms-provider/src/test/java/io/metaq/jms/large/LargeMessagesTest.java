package io.metaq.jms.large;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.jms.broker.BrokerExtension;
import io.metaq.jms.broker.LocalBroker;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Bodies larger than any message that the broker takes. */
@ExtendWith(BrokerExtension.class)
class LargeMessagesTest {
    private static final int LENGTH = 5_000_000;
    private static final long WAIT_MS = 30_000;

    private final LocalBroker broker;

    LargeMessagesTest(LocalBroker broker) {
        this.broker = broker;
    }

    private static byte[] random() {
        byte[] bytes = new byte[LENGTH];
        new Random(7).nextBytes(bytes);
        return bytes;
    }

    private static BytesMessage streaming(Session session, InputStream in) throws JMSException {
        BytesMessage message = session.createBytesMessage();
        message.setObjectProperty("JMS_MetaQ_InputStream", in);
        message.setIntProperty("p", 5);
        return message;
    }

    private static void transfer(Session session, Destination destination) throws JMSException {
        MessageConsumer consumer = session.createConsumer(destination);
        session.createProducer(destination).send(streaming(session, new ByteArrayInputStream(random())));
        BytesMessage received = (BytesMessage) consumer.receive(WAIT_MS);
        assertThat(received).isNotNull();
        assertThat(received.getBodyLength()).isEqualTo(LENGTH);
        assertThat(received.getIntProperty("p")).isEqualTo(5);
        ByteArrayOutputStream saved = new ByteArrayOutputStream();
        received.setObjectProperty("JMS_MetaQ_SaveStream", saved);
        assertThat(saved.toByteArray()).isEqualTo(random());
        assertThat(received.getBody(byte[].class)).isEqualTo(random());
        consumer.close();
    }

    @Test
    void shouldStreamThroughEveryKindOfDestination() throws JMSException {
        try (Connection connection = broker.factory().createConnection();
                Session session = connection.createSession()) {
            connection.start();
            transfer(session, session.createQueue("large-queue"));
            transfer(session, session.createTopic("large-topic"));
            transfer(session, session.createTemporaryQueue());
            transfer(session, session.createTemporaryTopic());
        }
    }

    @Test
    void shouldSendLargeTextAndForwardIt() throws JMSException {
        try (Connection connection = broker.factory().createConnection();
                Session session = connection.createSession()) {
            connection.start();
            Destination queue = session.createQueue("large-text");
            MessageConsumer consumer = session.createConsumer(queue);
            String text = "text ".repeat(1_000_000);
            session.createProducer(queue).send(session.createTextMessage(text));
            TextMessage first = (TextMessage) consumer.receive(WAIT_MS);
            session.createProducer(queue).send(first);
            assertThat(((TextMessage) consumer.receive(WAIT_MS)).getText()).isEqualTo(text);
        }
    }

    @Test
    void shouldCommitLargeMessageWithOthers() throws JMSException {
        try (Connection connection = broker.factory().createConnection();
                Session transacted = connection.createSession(Session.SESSION_TRANSACTED);
                Session session = connection.createSession()) {
            connection.start();
            Destination queue = session.createQueue("large-transacted");
            MessageConsumer consumer = session.createConsumer(queue);
            transacted.createProducer(queue).send(streaming(transacted, new ByteArrayInputStream(random())));
            assertThat(consumer.receiveNoWait()).isNull();
            transacted.rollback();
            transacted.createProducer(queue).send(streaming(transacted, new ByteArrayInputStream(random())));
            transacted.commit();
            assertThat(consumer.receive(WAIT_MS).getBody(byte[].class)).isEqualTo(random());
            assertThat(consumer.receiveNoWait()).isNull();
        }
    }

    @Test
    void shouldSendNothingWhenTheStreamBreaks() throws JMSException {
        try (Connection connection = broker.factory().createConnection();
                Session session = connection.createSession()) {
            connection.start();
            Destination queue = session.createQueue("large-broken");
            InputStream breaking = new InputStream() {
                private int left = 3_000_000;

                @Override
                public int read() throws IOException {
                    if (--left < 0) {
                        throw new IOException("the file was cut");
                    }
                    return 1;
                }
            };
            assertThatThrownBy(() -> session.createProducer(queue).send(streaming(session, breaking)))
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("the file was cut");
            assertThat(session.createConsumer(queue).receiveNoWait()).isNull();
        }
    }

    @Test
    void shouldReadOnWhenTheBrokerWasRestarted(@TempDir Path directory) throws JMSException {
        try (LocalBroker own = new LocalBroker(directory);
                Connection connection = own.factory().createConnection();
                Session session = connection.createSession()) {
            connection.start();
            Destination queue = session.createQueue("large-restarted");
            session.createProducer(queue).send(streaming(session, new ByteArrayInputStream(random())));
            BytesMessage received = (BytesMessage) session.createConsumer(queue).receive(WAIT_MS);
            assertThat(received.readByte()).isEqualTo(random()[0]);
            own.restart();
            assertThat(received.getBody(byte[].class)).isEqualTo(random());
        }
    }

    @Test
    void shouldReadLargeBodyWhileTheConnectionIsOpen() throws JMSException {
        BytesMessage received;
        try (Connection connection = broker.factory("largeMessageBytes=1000").createConnection();
                Session session = connection.createSession()) {
            connection.start();
            Destination queue = session.createQueue("large-late");
            BytesMessage message = session.createBytesMessage();
            message.writeBytes(new byte[1001]);
            session.createProducer(queue).send(message);
            received = (BytesMessage) session.createConsumer(queue).receive(WAIT_MS);
        }
        assertThat(received.getBodyLength()).isEqualTo(1001);
        assertThatThrownBy(received::readByte).isInstanceOf(JMSException.class);
    }
}
