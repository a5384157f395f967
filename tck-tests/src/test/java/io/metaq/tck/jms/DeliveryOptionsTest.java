package io.metaq.tck.jms;

import static io.metaq.tck.jms.Jms.next;
import static io.metaq.tck.jms.Jms.text;
import static io.metaq.tck.jms.Jms.texts;
import static io.metaq.tck.jms.Jms.unexpected;
import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

@Conformance
class DeliveryOptionsTest {

    @Test
    @Covers(
            sections = {"7.4", "7.7"},
            rules = 13)
    void shouldTakeOptionsFromTheProducerOrFromTheSend(Jms jms) throws JMSException {
        Session session = jms.session();
        Queue queue = jms.queue();
        MessageProducer producer = session.createProducer(queue);
        assertThat(producer.getDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
        assertThat(producer.getPriority()).isEqualTo(4);
        assertThat(producer.getTimeToLive()).isZero();
        assertThat(producer.getDeliveryDelay()).isZero();
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        producer.setPriority(2);
        producer.setTimeToLive(60_000);
        producer.send(session.createTextMessage("of the producer"));
        producer.send(session.createTextMessage("of the send"), DeliveryMode.PERSISTENT, 2, 0);
        MessageConsumer consumer = session.createConsumer(queue);
        Message first = next(consumer);
        Message second = next(consumer);

        assertThat(first.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
        assertThat(first.getJMSPriority()).isEqualTo(2);
        assertThat(first.getJMSExpiration()).isPositive();
        assertThat(second.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
        assertThat(second.getJMSExpiration()).isZero();
    }

    @Test
    @Covers(
            sections = {"3.4.10", "6.2.9"},
            rules = 13)
    void shouldLetHigherPrioritiesOvertakeABacklog(Jms jms) throws JMSException {
        Session session = jms.session();
        Queue queue = jms.queue();
        String[] backlog = new String[1_000];
        java.util.Arrays.setAll(backlog, i -> "low" + i);
        Session transacted = jms.session(Session.SESSION_TRANSACTED);
        Jms.send(transacted, queue, backlog);
        transacted.commit();
        MessageProducer producer = session.createProducer(queue);
        producer.send(session.createTextMessage("high"), 2, 9, 0);
        producer.send(session.createTextMessage("middle"), 2, 6, 0);
        producer.send(session.createTextMessage("high again"), 2, 9, 0);
        producer.send(session.createTextMessage("lowest"), 2, 0, 0);
        MessageConsumer consumer = session.createConsumer(queue);

        assertThat(texts(consumer, 4)).containsExactly("high", "high again", "middle", "low0");
        List<String> rest = texts(consumer, 1_000);
        assertThat(rest.get(999)).isEqualTo("lowest");
        assertThat(rest.get(0)).isEqualTo("low1");
    }

    @Test
    @Covers(
            sections = {"7.8", "3.4.9"},
            rules = 14)
    void shouldNotDeliverWhatHasExpired(Jms jms) throws JMSException {
        Session session = jms.session();
        Queue queue = jms.queue();
        Message expired = session.createTextMessage("expired");
        expired.setIntProperty("n", 1);
        MessageProducer producer = session.createProducer(queue);
        producer.send(expired, 2, 4, 50);
        producer.send(session.createTextMessage("kept"), 2, 4, 600_000);
        Awaitility.await().until(() -> System.currentTimeMillis() > expired.getJMSExpiration());
        MessageConsumer selecting = session.createConsumer(queue, "n = 1");
        assertThat(unexpected(selecting)).isNull();
        selecting.close();

        assertThat(text(session.createConsumer(queue))).isEqualTo("kept");
    }

    @Test
    @Covers(sections = "7.8", rules = 14)
    void shouldExpireWhatWaitsForAStoppedSubscriber(Jms jms) throws JMSException {
        Topic topic = jms.topic();
        Connection connection = jms.started();
        MessageConsumer consumer = connection.createSession().createConsumer(topic);
        connection.stop();
        Session session = jms.session();
        Message message = session.createTextMessage("expired");
        session.createProducer(topic).send(message, 2, 4, 50);
        jms.send(topic, "kept");
        Awaitility.await().until(() -> System.currentTimeMillis() > message.getJMSExpiration());
        connection.start();

        assertThat(text(consumer)).isEqualTo("kept");
    }

    @Test
    @Covers(
            sections = {"7.9", "3.4.13", "6.2.9"},
            rules = 15)
    void shouldNeverDeliverBeforeTheDeliveryTime(Jms jms) throws JMSException {
        Session session = jms.session();
        Queue queue = jms.queue();
        Topic topic = jms.topic();
        MessageConsumer ofQueue = session.createConsumer(queue);
        MessageConsumer ofTopic = session.createConsumer(topic);
        for (jakarta.jms.Destination destination : List.of(queue, topic)) {
            MessageProducer producer = session.createProducer(destination);
            producer.setDeliveryDelay(3_000);
            producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            producer.send(session.createTextMessage("delayed"));
            producer.setDeliveryDelay(0);
            producer.send(session.createTextMessage("at once"));
        }
        assertThat(text(ofQueue)).isEqualTo("at once");
        assertThat(text(ofTopic)).isEqualTo("at once");
        for (MessageConsumer consumer : List.of(ofQueue, ofTopic)) {
            Message delayed = next(consumer);
            assertThat(delayed.getBody(String.class)).isEqualTo("delayed");
            assertThat(System.currentTimeMillis()).isGreaterThanOrEqualTo(delayed.getJMSDeliveryTime());
        }
    }

    @Test
    @Covers(sections = "7.9", rules = 15)
    void shouldDeliverDelayedMessagesByTheirTimeAndInTransactions(Jms jms) throws JMSException {
        Session session = jms.session(Session.SESSION_TRANSACTED);
        Queue queue = jms.queue();
        MessageProducer producer = session.createProducer(queue);
        producer.setDeliveryDelay(900);
        producer.send(session.createTextMessage("later"));
        producer.setDeliveryDelay(300);
        producer.send(session.createTextMessage("sooner"));
        session.commit();

        assertThat(texts(jms.session().createConsumer(queue), 2)).containsExactly("sooner", "later");
    }

    @Test
    @Covers(sections = "7.9", rules = 11)
    void shouldGiveDelayedMessagesOnlyToSubscriptionsOfTheTimeOfTheSend(Jms jms) throws JMSException {
        Connection connection = jms.connect(jms.name());
        connection.start();
        Session session = connection.createSession();
        Topic topic = jms.topic();
        MessageConsumer durableBefore = session.createDurableConsumer(topic, "before");
        MessageConsumer before = session.createConsumer(topic);
        MessageProducer producer = session.createProducer(topic);
        producer.setDeliveryDelay(700);
        producer.send(session.createTextMessage("delayed"));
        MessageConsumer durableAfter = session.createDurableConsumer(topic, "after");
        MessageConsumer after = session.createConsumer(topic);

        assertThat(text(before)).isEqualTo("delayed");
        assertThat(text(durableBefore)).isEqualTo("delayed");
        assertThat(unexpected(after)).isNull();
        assertThat(unexpected(durableAfter)).isNull();
    }

    @Test
    @Covers(sections = "7.7")
    void shouldDeliverNonPersistentMessagesOnce(Jms jms) throws JMSException {
        Session session = jms.session();
        Queue queue = jms.queue();
        MessageProducer producer = session.createProducer(queue);
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        for (int i = 0; i < 100; i++) {
            producer.send(session.createTextMessage("" + i));
        }
        MessageConsumer consumer = session.createConsumer(queue);

        assertThat(texts(consumer, 100)).doesNotHaveDuplicates();
        assertThat(unexpected(consumer)).isNull();
    }
}
