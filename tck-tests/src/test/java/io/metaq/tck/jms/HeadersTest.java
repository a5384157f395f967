package io.metaq.tck.jms;

import static io.metaq.tck.jms.Jms.next;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.Topic;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

@Conformance
class HeadersTest {

    @Test
    @Covers(
            sections = {"3.4.1", "3.4.11"},
            rules = 16)
    void shouldSetEveryHeaderOfTheSentMessage(Jms jms) throws JMSException {
        Session session = jms.session();
        Queue queue = jms.queue();
        Message message = session.createMessage();
        MessageProducer producer = session.createProducer(queue);
        producer.setDeliveryDelay(1);
        long before = System.currentTimeMillis();
        producer.send(message, DeliveryMode.NON_PERSISTENT, 7, 60_000);
        long after = System.currentTimeMillis();

        assertThat(message.getJMSDestination()).isEqualTo(queue);
        assertThat(message.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
        assertThat(message.getJMSPriority()).isEqualTo(7);
        assertThat(message.getJMSMessageID()).startsWith("ID:");
        assertThat(message.getJMSTimestamp()).isBetween(before, after);
        assertThat(message.getJMSExpiration()).isBetween(before + 60_000, after + 60_000);
        assertThat(message.getJMSDeliveryTime()).isBetween(before + 1, after + 1);
    }

    @Test
    @Covers(sections = {"3.4.2", "3.4.4", "3.4.9", "3.4.10", "3.4.13"})
    void shouldReceiveWhatTheSenderWasGiven(Jms jms) throws JMSException {
        Session session = jms.session();
        Queue queue = jms.queue();
        Message sent = session.createTextMessage("x");
        session.createProducer(queue).send(sent, DeliveryMode.NON_PERSISTENT, 3, 60_000);
        Message received = next(session.createConsumer(queue));

        assertThat(received.getJMSDestination()).isEqualTo(queue).isInstanceOf(Queue.class);
        assertThat(received.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
        assertThat(received.getJMSPriority()).isEqualTo(3);
        assertThat(received.getJMSMessageID()).isEqualTo(sent.getJMSMessageID());
        assertThat(received.getJMSTimestamp()).isEqualTo(sent.getJMSTimestamp());
        assertThat(received.getJMSExpiration()).isEqualTo(sent.getJMSExpiration());
        assertThat(received.getJMSDeliveryTime()).isEqualTo(sent.getJMSDeliveryTime());
        assertThat(received.getJMSRedelivered()).isFalse();
    }

    @Test
    @Covers(sections = "3.4.11")
    void shouldUseTheDefaultsOfTheSpecification(Jms jms) throws JMSException {
        Session session = jms.session();
        Message received = jms.through(session, session.createMessage());

        assertThat(received.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
        assertThat(received.getJMSPriority()).isEqualTo(Message.DEFAULT_PRIORITY);
        assertThat(received.getJMSExpiration()).isZero();
        assertThat(received.getJMSDeliveryTime()).isEqualTo(received.getJMSTimestamp());
        assertThat(received.getJMSCorrelationID()).isNull();
        assertThat(received.getJMSReplyTo()).isNull();
        assertThat(received.getJMSType()).isNull();
    }

    @Test
    @Covers(sections = "3.4.12")
    void shouldIgnoreWhatTheApplicationPutsIntoTheHeadersOfTheProvider(Jms jms) throws JMSException {
        Session session = jms.session();
        Message message = session.createMessage();
        message.setJMSDeliveryMode(DeliveryMode.NON_PERSISTENT);
        message.setJMSPriority(9);
        message.setJMSMessageID("ID:mine");
        message.setJMSExpiration(1);
        message.setJMSTimestamp(1);
        message.setJMSDeliveryTime(1);
        message.setJMSRedelivered(true);
        message.setJMSDestination(session.createQueue("elsewhere"));
        Message received = jms.through(session, message);

        assertThat(received.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
        assertThat(received.getJMSPriority()).isEqualTo(4);
        assertThat(received.getJMSMessageID()).isNotEqualTo("ID:mine");
        assertThat(received.getJMSExpiration()).isZero();
        assertThat(received.getJMSTimestamp()).isGreaterThan(1);
        assertThat(received.getJMSDeliveryTime()).isGreaterThan(1);
        assertThat(received.getJMSRedelivered()).isFalse();
    }

    @Test
    @Covers(sections = "3.4.3")
    void shouldGiveEachSendAnIdentifierOfItsOwn(Jms jms) throws JMSException {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        Message message = session.createMessage();
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            producer.send(message);
            ids.add(message.getJMSMessageID());
        }
        assertThat(ids).hasSize(100).allMatch(id -> id.startsWith("ID:"));
    }

    @Test
    @Covers(sections = {"3.4.3", "3.4.4"})
    void shouldTakeTheHintsThatIdentifierAndTimeAreNotNeeded(Jms jms) throws JMSException {
        Session session = jms.session();
        Queue queue = jms.queue();
        MessageProducer producer = session.createProducer(queue);
        producer.setDisableMessageID(true);
        producer.setDisableMessageTimestamp(true);
        producer.send(session.createMessage());
        Message received = next(session.createConsumer(queue));

        assertThat(received.getJMSMessageID())
                .satisfiesAnyOf(
                        id -> assertThat(id).isNull(), id -> assertThat(id).startsWith("ID:"));
        assertThat(received.getJMSTimestamp()).isNotNegative();
    }

    @Test
    @Covers(sections = "3.4.5")
    void shouldKeepCorrelationIdentifiersOfEachKind(Jms jms) throws JMSException {
        Session session = jms.session();
        Message ofProvider = session.createMessage();
        ofProvider.setJMSCorrelationID("ID:other");
        Message ofApplication = session.createMessage();
        ofApplication.setJMSCorrelationID("größer");
        Message native_ = session.createMessage();
        native_.setJMSCorrelationIDAsBytes("bytes".getBytes(StandardCharsets.UTF_8));

        assertThat(jms.through(session, ofProvider).getJMSCorrelationID()).isEqualTo("ID:other");
        assertThat(jms.through(session, ofApplication).getJMSCorrelationID()).isEqualTo("größer");
        assertThat(jms.through(session, native_).getJMSCorrelationIDAsBytes())
                .isEqualTo("bytes".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    @Covers(sections = "3.4.6", rules = 18)
    void shouldBringReplyDestinationsBackAsWhatTheyWere(Jms jms) throws JMSException {
        Session session = jms.session();
        TemporaryQueue temporaryQueue = session.createTemporaryQueue();
        TemporaryTopic temporaryTopic = session.createTemporaryTopic();

        assertThat(replyTo(jms, session, session.createQueue("a queue")))
                .isInstanceOf(Queue.class)
                .isNotInstanceOf(Topic.class)
                .isEqualTo(session.createQueue("a queue"));
        assertThat(replyTo(jms, session, session.createTopic("a topic")))
                .isInstanceOf(Topic.class)
                .isNotInstanceOf(Queue.class)
                .isEqualTo(session.createTopic("a topic"));
        assertThat(replyTo(jms, session, temporaryQueue))
                .isInstanceOf(TemporaryQueue.class)
                .isEqualTo(temporaryQueue);
        assertThat(replyTo(jms, session, temporaryTopic))
                .isInstanceOf(TemporaryTopic.class)
                .isEqualTo(temporaryTopic);
    }

    private static Destination replyTo(Jms jms, Session session, Destination destination) throws JMSException {
        Message message = session.createMessage();
        message.setJMSReplyTo(destination);
        return jms.through(session, message).getJMSReplyTo();
    }

    @Test
    @Covers(
            sections = "3.4.6",
            rules = {18, 32})
    void shouldAnswerToAReplyDestination(Jms jms) throws JMSException {
        Session client = jms.session();
        Session server = jms.session();
        Queue requests = jms.queue();
        TemporaryQueue answers = client.createTemporaryQueue();
        Message request = client.createTextMessage("ping");
        request.setJMSReplyTo(answers);
        client.createProducer(requests).send(request);

        Message received = next(server.createConsumer(requests));
        Message answer = server.createTextMessage("pong");
        answer.setJMSCorrelationID(received.getJMSMessageID());
        server.createProducer(null).send(received.getJMSReplyTo(), answer);

        assertThat(next(client.createConsumer(answers)).getJMSCorrelationID()).isEqualTo(request.getJMSMessageID());
    }

    @Test
    @Covers(sections = "3.4.7")
    void shouldSayThatAMessageComesAgain(Jms jms) throws JMSException {
        Queue queue = jms.queue();
        jms.send(queue, "a");
        Connection connection = jms.started();
        Session first = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        assertThat(next(first.createConsumer(queue)).getJMSRedelivered()).isFalse();
        first.close();

        MessageConsumer second = connection.createSession().createConsumer(queue);
        assertThat(next(second).getJMSRedelivered()).isTrue();
    }

    @Test
    @Covers(sections = {"3.4.8", "3.7"})
    void shouldKeepTheType(Jms jms) throws JMSException {
        Session session = jms.session();
        Message message = session.createMessage();
        message.setJMSType("car");

        assertThat(jms.through(session, message).getJMSType()).isEqualTo("car");
    }

    @Test
    @Covers(sections = "3.4.10", rules = 13)
    void shouldRefusePrioritiesAndDeliveryModesThatDoNotExist(Jms jms) throws JMSException {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());

        assertThatThrownBy(() -> producer.setPriority(10)).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> producer.setPriority(-1)).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> producer.setDeliveryMode(3)).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> producer.send(session.createMessage(), 2, 11, 0))
                .isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> producer.send(session.createMessage(), 0, 4, 0))
                .isInstanceOf(JMSException.class);
    }
}
