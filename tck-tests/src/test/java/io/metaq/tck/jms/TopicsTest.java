package io.metaq.tck.jms;

import static io.metaq.tck.jms.Jms.text;
import static io.metaq.tck.jms.Jms.texts;
import static io.metaq.tck.jms.Jms.unexpected;
import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import org.junit.jupiter.api.Test;

@Conformance
class TopicsTest {

    @Test
    @Covers(sections = {"4.2.2", "8.3.1", "4.2.11"})
    void shouldGiveACopyToEachSubscriptionFromItsBeginningOn(Jms jms) throws JMSException {
        Topic topic = jms.topic();
        jms.send(topic, "before");
        MessageConsumer one = jms.session().createConsumer(topic);
        MessageConsumer two = jms.session().createConsumer(topic);
        jms.send(topic, "a", "b");

        assertThat(texts(one, 2)).containsExactly("a", "b");
        assertThat(texts(two, 2)).containsExactly("a", "b");
        assertThat(unexpected(one)).isNull();
    }

    @Test
    @Covers(sections = "8.3.1")
    void shouldEndWithItsConsumer(Jms jms) throws JMSException {
        Topic topic = jms.topic();
        Session session = jms.session();
        session.createConsumer(topic).close();
        jms.send(topic, "missed");
        MessageConsumer consumer = session.createConsumer(topic);
        jms.send(topic, "a");

        assertThat(text(consumer)).isEqualTo("a");
    }

    @Test
    @Covers(sections = "4.2.2")
    void shouldTreatCopiesAsSeparateMessages(Jms jms) throws JMSException {
        Topic topic = jms.topic();
        Session first = jms.session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer one = first.createConsumer(topic);
        MessageConsumer two = jms.session().createConsumer(topic);
        jms.send(topic, "a");
        Message copy = Jms.next(one);
        assertThat(text(two)).isEqualTo("a");
        first.recover();

        Message again = Jms.next(one);
        assertThat(again.getJMSMessageID()).isEqualTo(copy.getJMSMessageID());
        assertThat(again.getJMSRedelivered()).isTrue();
        assertThat(unexpected(two)).isNull();
    }

    @Test
    @Covers(sections = "4.2.8")
    void shouldRecoverForTheLifeOfANonDurableSubscriber(Jms jms) throws JMSException {
        Topic topic = jms.topic();
        Session session = jms.session(Session.SESSION_TRANSACTED);
        MessageConsumer consumer = session.createConsumer(topic);
        jms.send(topic, "a", "b");
        assertThat(texts(consumer, 2)).containsExactly("a", "b");
        session.rollback();
        assertThat(texts(consumer, 2)).containsExactly("a", "b");
        session.commit();
        assertThat(unexpected(consumer)).isNull();
    }

    @Test
    @Covers(sections = "8.3.1", rules = 8)
    void shouldKeepWhatItsOwnConnectionSendsFromANoLocalSubscription(Jms jms) throws JMSException {
        Topic topic = jms.topic();
        Connection connection = jms.started();
        Session session = connection.createSession();
        MessageConsumer remote = session.createConsumer(topic, null, true);
        MessageConsumer all = session.createConsumer(topic, null, false);
        Jms.send(connection.createSession(), topic, "own");
        jms.send(topic, "other");

        assertThat(texts(all, 2)).containsExactly("own", "other");
        assertThat(text(remote)).isEqualTo("other");
        assertThat(unexpected(remote)).isNull();
    }

    @Test
    @Covers(sections = "4.2.6", rules = 34)
    void shouldNameATopicWithoutMakingIt(Jms jms) throws JMSException {
        String name = jms.name();

        assertThat(jms.session().createTopic(name).getTopicName()).isEqualTo(name);
    }

    @Test
    @Covers(sections = "6.1.4", rules = 1)
    void shouldCollectForASubscriberOfAStoppedConnection(Jms jms) throws JMSException {
        Topic topic = jms.topic();
        Connection connection = jms.connect();
        MessageConsumer consumer = connection.createSession().createConsumer(topic);
        jms.send(topic, "a", "b");
        assertThat(unexpected(consumer)).isNull();
        connection.start();

        assertThat(texts(consumer, 2)).containsExactly("a", "b");
    }
}
