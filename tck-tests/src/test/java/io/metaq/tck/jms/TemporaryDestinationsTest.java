package io.metaq.tck.jms;

import static io.metaq.tck.jms.Jms.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueRequestor;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicRequestor;
import jakarta.jms.TopicSession;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

@Conformance
class TemporaryDestinationsTest {

    @Test
    @Covers(
            sections = {"6.2.2", "4.1.5", "4.2.7"},
            rules = 32)
    void shouldBeConsumedByItsConnectionAloneAndTakeFromAll(Jms jms) throws JMSException {
        Connection connection = jms.started();
        TemporaryQueue queue = connection.createSession().createTemporaryQueue();
        TemporaryTopic topic = connection.createSession().createTemporaryTopic();
        MessageConsumer ofQueue = connection.createSession().createConsumer(queue);
        MessageConsumer ofTopic = connection.createSession().createConsumer(topic);
        Session other = jms.session();
        Jms.send(other, queue, "q");
        Jms.send(other, topic, "t");

        assertThat(text(ofQueue)).isEqualTo("q");
        assertThat(text(ofTopic)).isEqualTo("t");
        assertThatThrownBy(() -> other.createConsumer(queue)).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> other.createConsumer(topic)).isInstanceOf(JMSException.class);
    }

    @Test
    @Covers(sections = "6.2.2", rules = 32)
    void shouldHaveNamesOfTheirOwn(Jms jms) throws JMSException {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            Session session = jms.session();
            names.add(session.createTemporaryQueue().getQueueName());
            names.add(session.createTemporaryTopic().getTopicName());
        }
        assertThat(names).hasSize(40);
    }

    @Test
    @Covers(sections = "6.2.2", rules = 32)
    void shouldBeDeletedOnlyWhenNobodyConsumes(Jms jms) throws JMSException {
        Session session = jms.session();
        TemporaryQueue queue = session.createTemporaryQueue();
        TemporaryTopic topic = session.createTemporaryTopic();
        MessageConsumer ofQueue = session.createConsumer(queue);
        MessageConsumer ofTopic = session.createConsumer(topic);

        assertThatThrownBy(queue::delete).isInstanceOf(JMSException.class);
        assertThatThrownBy(topic::delete).isInstanceOf(JMSException.class);
        ofQueue.close();
        ofTopic.close();
        queue.delete();
        topic.delete();
        assertThatThrownBy(() -> session.createConsumer(queue)).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> Jms.send(session, queue, "x")).isInstanceOf(JMSException.class);
    }

    @Test
    @Covers(sections = "6.2.2", rules = 32)
    void shouldGoWithTheirConnection(Jms jms) throws JMSException {
        Connection connection = jms.started();
        TemporaryQueue queue = connection.createSession().createTemporaryQueue();
        Session other = jms.session();
        Jms.send(other, queue, "while it lives");
        connection.close();

        assertThatThrownBy(() -> Jms.send(other, queue, "too late")).isInstanceOf(JMSException.class);
    }

    @Test
    @Covers(sections = "6.2.2", rules = 32)
    void shouldServeEverySessionOfTheConnection(Jms jms) throws JMSException {
        Connection connection = jms.started();
        Session first = connection.createSession();
        TemporaryQueue queue = first.createTemporaryQueue();
        first.close();
        Session second = connection.createSession(Session.SESSION_TRANSACTED);
        Jms.send(second, queue, "x");
        second.commit();
        MessageConsumer consumer = second.createConsumer(queue);
        assertThat(text(consumer)).isEqualTo("x");
        second.rollback();

        assertThat(text(consumer)).isEqualTo("x");
    }

    @Test
    @Covers(sections = "4.1.7", rules = 32)
    void shouldServeQueueRequestors(Jms jms) throws Exception {
        Queue requests = jms.queue();
        answer(jms, requests);
        QueueConnection connection = jms.closing(jms.factory().createQueueConnection());
        connection.start();
        QueueSession session = connection.createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
        QueueRequestor requestor = new QueueRequestor(session, requests);

        assertThat(requestor.request(session.createTextMessage("ping")).getBody(String.class))
                .isEqualTo("ping!");
        requestor.close();
    }

    @Test
    @Covers(sections = "4.2.10", rules = 32)
    void shouldServeTopicRequestors(Jms jms) throws Exception {
        Topic requests = jms.topic();
        answer(jms, requests);
        TopicConnection connection = jms.closing(jms.factory().createTopicConnection());
        connection.start();
        TopicSession session = connection.createTopicSession(false, Session.AUTO_ACKNOWLEDGE);
        TopicRequestor requestor = new TopicRequestor(session, requests);

        assertThat(requestor.request(session.createTextMessage("ping")).getBody(String.class))
                .isEqualTo("ping!");
        requestor.close();
    }

    private static void answer(Jms jms, jakarta.jms.Destination requests) throws JMSException {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(null);
        session.createConsumer(requests).setMessageListener(message -> {
            try {
                Message answer = session.createTextMessage(message.getBody(String.class) + "!");
                producer.send(message.getJMSReplyTo(), answer);
            } catch (JMSException e) {
                throw new AssertionError(e);
            }
        });
    }

    @Test
    @Covers(sections = "6.2.2", rules = 32)
    void shouldBeCheapToMakeAndDelete(Jms jms) throws JMSException {
        Session session = jms.session();
        for (int i = 0; i < 500; i++) {
            TemporaryQueue queue = session.createTemporaryQueue();
            Jms.send(session, queue, "x");
            MessageConsumer consumer = session.createConsumer(queue);
            assertThat(text(consumer)).isEqualTo("x");
            consumer.close();
            queue.delete();
        }
    }
}
