package io.metaq.tck.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
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
import org.junit.jupiter.api.Test;

@Conformance
class ArgumentsTest {

    @Test
    @Covers(
            sections = {"6.2.3", "10.3"},
            rules = 34)
    void shouldRefuseDestinationsThatAreNone(Jms jms) throws JMSException {
        Session session = jms.session();

        assertThatThrownBy(() -> session.createConsumer(null)).isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> session.createBrowser(null)).isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> session.createSharedConsumer(null, "s"))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> session.createSharedDurableConsumer(null, "s"))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> jms.connect(jms.name()).createSession().createDurableConsumer(null, "s"))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> session.createDurableConsumer(null, "no client identifier either"))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> session.createProducer(null).send(null, session.createMessage()))
                .isInstanceOf(InvalidDestinationException.class);
    }

    @Test
    @Covers(
            sections = {"7.1", "7.2", "10.3"},
            rules = 34)
    void shouldSendOnlyWhereTheProducerGoes(Jms jms) throws JMSException {
        Session session = jms.session();
        Queue queue = jms.queue();
        MessageProducer identified = session.createProducer(queue);
        MessageProducer anywhere = session.createProducer(null);

        assertThat(identified.getDestination()).isEqualTo(queue);
        assertThat(anywhere.getDestination()).isNull();
        assertThatThrownBy(() -> identified.send(null)).isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> identified.send(jms.queue(), session.createMessage()))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> anywhere.send(session.createMessage()))
                .isInstanceOf(UnsupportedOperationException.class);
        anywhere.send(queue, session.createTextMessage("x"));
        assertThat(Jms.text(session.createConsumer(queue))).isEqualTo("x");
    }

    @Test
    @Covers(sections = "9.2", rules = 35)
    void shouldRefuseTopicsInQueueSessions(Jms jms) throws JMSException {
        QueueConnection connection = jms.closing(jms.factory().createQueueConnection());
        QueueSession session = connection.createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
        Topic topic = jms.topic();

        assertThatThrownBy(() -> session.createTopic("t")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(session::createTemporaryTopic).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.createDurableSubscriber(topic, "s")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.createDurableSubscriber(topic, "s", null, false))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.createDurableConsumer(topic, "s")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.createSharedConsumer(topic, "s")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.createSharedDurableConsumer(topic, "s"))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.unsubscribe("s")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @Covers(sections = "9.2", rules = 35)
    void shouldRefuseQueuesInTopicSessions(Jms jms) throws JMSException {
        TopicConnection connection = jms.closing(jms.factory().createTopicConnection());
        TopicSession session = connection.createTopicSession(false, Session.AUTO_ACKNOWLEDGE);
        Queue queue = jms.queue();

        assertThatThrownBy(() -> session.createQueue("q")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(session::createTemporaryQueue).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.createBrowser(queue)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.createBrowser(queue, "n = 1")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @Covers(
            sections = {"9.2", "11"},
            rules = 35)
    void shouldRefuseConnectionConsumersOfTheOtherDomain(Jms jms) throws JMSException {
        QueueConnection connection = jms.closing(jms.factory().createQueueConnection());
        Topic topic = jms.topic();

        assertThatThrownBy(() -> connection.createSharedConnectionConsumer(topic, "s", null, null, 1))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> connection.createDurableConnectionConsumer(topic, "s", null, null, 1))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> connection.createSharedDurableConnectionConsumer(topic, "s", null, null, 1))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    @Covers(
            sections = {"5.3", "7.1", "8.1"},
            rules = 35)
    void shouldServeTheApiOfEachDomain(Jms jms) throws JMSException {
        QueueConnection queues = jms.closing(jms.factory().createQueueConnection());
        TopicConnection topics = jms.closing(jms.factory().createTopicConnection());
        queues.start();
        topics.start();
        QueueSession queueSession = queues.createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
        TopicSession topicSession = topics.createTopicSession(false, Session.AUTO_ACKNOWLEDGE);
        Queue queue = jms.queue();
        Topic topic = jms.topic();
        TopicSubscriber subscriber = topicSession.createSubscriber(topic);
        TopicPublisher publisher = topicSession.createPublisher(topic);
        publisher.publish(topicSession.createTextMessage("t"));
        QueueSender sender = queueSession.createSender(queue);
        sender.send(queueSession.createTextMessage("q"));
        QueueReceiver receiver = queueSession.createReceiver(queue);

        assertThat(Jms.text(subscriber)).isEqualTo("t");
        assertThat(Jms.text(receiver)).isEqualTo("q");
        assertThat(subscriber.getTopic()).isEqualTo(topic);
        assertThat(publisher.getTopic()).isEqualTo(topic);
        assertThat(sender.getQueue()).isEqualTo(queue);
        assertThat(receiver.getQueue()).isEqualTo(queue);
    }

    @Test
    @Covers(sections = "10.2")
    void shouldThrowExceptionsThatSayWhatIsWrong(Jms jms) throws JMSException {
        Connection connection = jms.connect();
        connection.close();

        assertThatThrownBy(connection::start)
                .isInstanceOf(IllegalStateException.class)
                .satisfies(e -> assertThat(e.getMessage()).contains("closed"));
    }
}
