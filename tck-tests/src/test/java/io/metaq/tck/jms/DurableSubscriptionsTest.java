package io.metaq.tck.jms;

import static io.metaq.tck.jms.Jms.text;
import static io.metaq.tck.jms.Jms.texts;
import static io.metaq.tck.jms.Jms.unexpected;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicSubscriber;
import org.junit.jupiter.api.Test;

@Conformance
class DurableSubscriptionsTest {

    private static Connection startedAs(Jms jms, String clientId) throws JMSException {
        Connection connection = jms.connect(clientId);
        connection.start();
        return connection;
    }

    @Test
    @Covers(
            sections = {"8.3.3", "4.2.11"},
            rules = 5)
    void shouldCollectWhileNobodyConsumes(Jms jms) throws JMSException {
        String id = jms.name();
        Topic topic = jms.topic();
        Connection first = startedAs(jms, id);
        first.createSession().createDurableConsumer(topic, "s");
        first.close();
        jms.send(topic, "a", "b");
        Connection second = startedAs(jms, id);
        MessageConsumer consumer = second.createSession().createDurableConsumer(topic, "s");

        assertThat(texts(consumer, 2)).containsExactly("a", "b");
        consumer.close();
        second.createSession().unsubscribe("s");
    }

    @Test
    @Covers(sections = "4.2.4")
    void shouldTakeAllNamesThatTheSpecificationAllows(Jms jms) throws JMSException {
        Session session = startedAs(jms, jms.name()).createSession();
        Topic topic = jms.topic();
        for (String name : new String[] {"a_b.c-9", "größer", "x".repeat(128), "with space:and%signs/"}) {
            MessageConsumer consumer = session.createDurableConsumer(topic, name);
            jms.send(topic, name);
            assertThat(text(consumer)).isEqualTo(name);
            consumer.close();
            session.unsubscribe(name);
        }
    }

    @Test
    @Covers(sections = "8.3.3", rules = 6)
    void shouldBeMadeAnewForAnotherSelectorTopicOrNoLocal(Jms jms) throws JMSException {
        Session session = startedAs(jms, jms.name()).createSession();
        Topic topic = jms.topic();
        Topic other = jms.topic();
        session.createDurableConsumer(topic, "s", "n = 1", false).close();
        sendNumbered(jms, topic, 1);
        session.createDurableConsumer(topic, "s", "n = 2", false).close();
        sendNumbered(jms, topic, 2);
        MessageConsumer same = session.createDurableConsumer(topic, "s", "n = 2", false);
        assertThat(text(same)).isEqualTo("2");
        assertThat(unexpected(same)).isNull();
        same.close();

        sendNumbered(jms, topic, 2);
        session.createDurableConsumer(topic, "s", "n = 2", true).close();
        MessageConsumer remote = session.createDurableConsumer(topic, "s", "n = 2", true);
        assertThat(unexpected(remote)).isNull();
        remote.close();

        MessageConsumer elsewhere = session.createDurableConsumer(other, "s");
        jms.send(topic, "here");
        jms.send(other, "there");
        assertThat(text(elsewhere)).isEqualTo("there");
    }

    private static void sendNumbered(Jms jms, Topic topic, int number) throws JMSException {
        Session session = jms.session();
        Message message = session.createTextMessage("" + number);
        message.setIntProperty("n", number);
        session.createProducer(topic).send(message);
    }

    @Test
    @Covers(
            sections = "8.3.3",
            rules = {6, 7})
    void shouldHaveOneConsumerOnly(Jms jms) throws JMSException {
        Session session = startedAs(jms, jms.name()).createSession();
        Topic topic = jms.topic();
        session.createDurableConsumer(topic, "s");

        assertThatThrownBy(() -> session.createDurableConsumer(topic, "s")).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> session.createDurableSubscriber(topic, "s", "n = 1", false))
                .isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> session.createSharedDurableConsumer(topic, "s"))
                .isInstanceOf(JMSException.class);
    }

    @Test
    @Covers(sections = "8.3.3", rules = 8)
    void shouldNeedAClientIdentifier(Jms jms) throws JMSException {
        Session session = jms.session();
        Topic topic = jms.topic();

        assertThatThrownBy(() -> session.createDurableConsumer(topic, "s")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.createDurableSubscriber(topic, "s")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.createDurableConsumer(topic, "s", null, true))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    @Covers(sections = "8.3.3", rules = 8)
    void shouldTakeConnectionsOfTheSameClientForLocal(Jms jms) throws JMSException {
        String id = jms.name();
        Topic topic = jms.topic();
        Connection first = startedAs(jms, id);
        TopicSubscriber subscriber = first.createSession().createDurableSubscriber(topic, "s", null, true);
        assertThat(subscriber.getNoLocal()).isTrue();
        assertThat(subscriber.getTopic()).isEqualTo(topic);
        Jms.send(first.createSession(), topic, "own");
        first.close();
        Connection second = startedAs(jms, id);
        Jms.send(second.createSession(), topic, "own again");
        jms.send(topic, "other");
        MessageConsumer consumer = second.createSession().createDurableConsumer(topic, "s", null, true);

        assertThat(text(consumer)).isEqualTo("other");
        assertThat(unexpected(consumer)).isNull();
    }

    @Test
    @Covers(
            sections = {"8.3.3", "10.3"},
            rules = 9)
    void shouldUnsubscribeOnlyWhatExistsAndIsNotInUse(Jms jms) throws JMSException {
        Session session = startedAs(jms, jms.name()).createSession();
        Topic topic = jms.topic();
        MessageConsumer consumer = session.createDurableConsumer(topic, "s");

        assertThatThrownBy(() -> session.unsubscribe("none")).isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> session.unsubscribe("s")).isInstanceOf(JMSException.class);
        consumer.close();
        session.unsubscribe("s");
        assertThatThrownBy(() -> session.unsubscribe("s")).isInstanceOf(InvalidDestinationException.class);
        jms.send(topic, "missed");
        MessageConsumer again = session.createDurableConsumer(topic, "s");
        assertThat(unexpected(again)).isNull();
    }

    @Test
    @Covers(sections = "8.3.3", rules = 9)
    void shouldNotUnsubscribeWhileMessagesAreUnacknowledged(Jms jms) throws JMSException {
        Session session = startedAs(jms, jms.name()).createSession(Session.SESSION_TRANSACTED);
        Topic topic = jms.topic();
        MessageConsumer consumer = session.createDurableConsumer(topic, "s");
        jms.send(topic, "a");
        assertThat(text(consumer)).isEqualTo("a");
        consumer.close();

        assertThatThrownBy(() -> session.unsubscribe("s")).isInstanceOf(JMSException.class);
        session.commit();
        session.unsubscribe("s");
    }

    @Test
    @Covers(
            sections = "8.3.3",
            rules = {5, 28})
    void shouldRedeliverWhatWasNotAcknowledged(Jms jms) throws JMSException {
        String id = jms.name();
        Topic topic = jms.topic();
        Connection first = startedAs(jms, id);
        MessageConsumer consumer =
                first.createSession(Session.CLIENT_ACKNOWLEDGE).createDurableConsumer(topic, "s");
        jms.send(topic, "a", "b");
        Jms.next(consumer).acknowledge();
        assertThat(text(consumer)).isEqualTo("b");
        first.close();
        Message again = Jms.next(startedAs(jms, id).createSession().createDurableConsumer(topic, "s"));

        assertThat(again.getBody(String.class)).isEqualTo("b");
        assertThat(again.getJMSRedelivered()).isTrue();
    }
}
