package io.metaq.tck.jms;

import static io.metaq.tck.jms.Jms.next;
import static io.metaq.tck.jms.Jms.text;
import static io.metaq.tck.jms.Jms.texts;
import static io.metaq.tck.jms.Jms.unexpected;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Conformance
class AcknowledgmentTest {

    @ParameterizedTest
    @ValueSource(ints = {Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE})
    @Covers(
            sections = {"3.6", "6.2.10"},
            rules = 28)
    void shouldAcknowledgeByItselfWhenReceiveReturns(int mode, Jms jms) throws JMSException {
        Queue queue = jms.queue();
        jms.send(queue, "a", "b");
        Session session = jms.session(mode);
        Message message = next(session.createConsumer(queue));
        message.acknowledge();
        session.close();

        MessageConsumer consumer = jms.session().createConsumer(queue);
        assertThat(text(consumer)).isEqualTo("b");
        assertThat(unexpected(consumer)).isNull();
    }

    @Test
    @Covers(sections = "6.2.10", rules = 29)
    void shouldAcknowledgeAllThatTheSessionDeliveredSoFar(Jms jms) throws JMSException {
        Queue one = jms.queue();
        Queue two = jms.queue();
        jms.send(one, "1a", "1b", "1c");
        jms.send(two, "2a", "2b");
        Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer ofOne = session.createConsumer(one);
        MessageConsumer ofTwo = session.createConsumer(two);
        Message first = next(ofOne);
        text(ofTwo);
        text(ofOne);
        first.acknowledge();
        session.close();

        assertThat(text(jms.session().createConsumer(one))).isEqualTo("1c");
        assertThat(text(jms.session().createConsumer(two))).isEqualTo("2b");
    }

    @Test
    @Covers(
            sections = {"6.2.10", "8.8"},
            rules = 29)
    void shouldAcknowledgeAlsoWhatAClosedConsumerGot(Jms jms) throws JMSException {
        Queue queue = jms.queue();
        jms.send(queue, "a", "b");
        Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(queue);
        Message message = next(consumer);
        consumer.close();
        message.acknowledge();
        session.close();

        assertThat(text(jms.session().createConsumer(queue))).isEqualTo("b");
    }

    @Test
    @Covers(
            sections = "6.2.10",
            rules = {12, 29})
    void shouldRecoverFromTheFirstUnacknowledgedInOrder(Jms jms) throws JMSException {
        Queue queue = jms.queue();
        jms.send(queue, "a", "b", "c", "d");
        Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(queue);
        next(consumer).acknowledge();
        assertThat(texts(consumer, 2)).containsExactly("b", "c");
        session.recover();
        Message again = next(consumer);

        assertThat(again.getBody(String.class)).isEqualTo("b");
        assertThat(again.getJMSRedelivered()).isTrue();
        assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
        assertThat(text(consumer)).isEqualTo("c");
        Message fresh = next(consumer);
        assertThat(fresh.getBody(String.class)).isEqualTo("d");
        assertThat(fresh.getJMSRedelivered()).isFalse();
    }

    @Test
    @Covers(
            sections = {"6.2.15", "6.1.8"},
            rules = 28)
    void shouldReturnWhatIsUnacknowledgedAtTheEndInOrder(Jms jms) throws JMSException {
        Queue queue = jms.queue();
        jms.send(queue, "a", "b", "c");
        Connection connection = jms.started();
        Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        assertThat(texts(session.createConsumer(queue), 2)).containsExactly("a", "b");
        connection.close();
        MessageConsumer consumer = jms.session().createConsumer(queue);

        Message a = next(consumer);
        assertThat(a.getBody(String.class)).isEqualTo("a");
        assertThat(a.getJMSRedelivered()).isTrue();
        assertThat(a.getIntProperty("JMSXDeliveryCount")).isGreaterThanOrEqualTo(2);
        assertThat(next(consumer).getJMSRedelivered()).isTrue();
        Message c = next(consumer);
        assertThat(c.getBody(String.class)).isEqualTo("c");
        assertThat(c.getJMSRedelivered()).isFalse();
    }

    @Test
    @Covers(
            sections = {"6.2.15", "6.1.8"},
            rules = 27)
    void shouldRefuseToAcknowledgeWhenTheSessionIsClosed(Jms jms) throws JMSException {
        Queue queue = jms.queue();
        jms.send(queue, "a");
        Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
        Message message = next(session.createConsumer(queue));
        session.close();

        assertThatThrownBy(message::acknowledge).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @Covers(sections = "6.2.10")
    void shouldRefuseRecoverOfATransactedSession(Jms jms) throws JMSException {
        assertThatThrownBy(jms.session(Session.SESSION_TRANSACTED)::recover).isInstanceOf(IllegalStateException.class);
    }
}
