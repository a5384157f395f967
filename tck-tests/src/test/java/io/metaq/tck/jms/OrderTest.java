package io.metaq.tck.jms;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

@Conformance
class OrderTest {
    private static final int COUNT = 500;

    @Test
    @Covers(
            sections = {"6.2.9", "7.3.3"},
            rules = {3, 24})
    void shouldKeepTheOrderOfASessionAlsoWhenSendsAreMixed(Jms jms) throws JMSException {
        Session session = jms.session();
        Queue queue = jms.queue();
        MessageProducer producer = session.createProducer(queue);
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            Message message = session.createTextMessage("m" + i);
            sent.add("m" + i);
            if (i % 3 == 0) {
                producer.send(message);
            } else {
                producer.send(message, new Completion(new CompletableFuture<>()));
            }
        }
        assertThat(Jms.texts(jms.session().createConsumer(queue), COUNT)).isEqualTo(sent);
    }

    @Test
    @Covers(sections = "6.2.9", rules = 3)
    void shouldKeepTheOrderOverSeveralProducersOfASession(Jms jms) throws JMSException {
        Session session = jms.session();
        Topic topic = jms.topic();
        MessageConsumer consumer = jms.session().createConsumer(topic);
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            Jms.send(session, topic, "m" + i);
            sent.add("m" + i);
        }
        assertThat(Jms.texts(consumer, 100)).isEqualTo(sent);
    }

    @Test
    @Covers(sections = "6.2.9", rules = 3)
    void shouldKeepTheOrderWithinADeliveryMode(Jms jms) throws JMSException {
        Session session = jms.session();
        Queue queue = jms.queue();
        MessageProducer producer = session.createProducer(queue);
        for (int i = 0; i < 100; i++) {
            producer.setDeliveryMode(i % 2 == 0 ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT);
            producer.send(session.createTextMessage("" + i));
        }
        List<Integer> even = new ArrayList<>();
        List<Integer> odd = new ArrayList<>();
        for (String text : Jms.texts(jms.session().createConsumer(queue), 100)) {
            int number = Integer.parseInt(text);
            (number % 2 == 0 ? even : odd).add(number);
        }
        assertThat(even).isSorted();
        assertThat(odd).isSorted();
    }

    @Test
    @Covers(sections = "6.2.12")
    void shouldProduceNothingTwice(Jms jms) throws JMSException {
        Session session = jms.session();
        Queue queue = jms.queue();
        Set<String> ids = new HashSet<>();
        MessageProducer producer = session.createProducer(queue);
        for (int i = 0; i < 200; i++) {
            Message message = session.createMessage();
            producer.send(message);
            ids.add(message.getJMSMessageID());
        }
        MessageConsumer consumer = jms.session().createConsumer(queue);
        Set<String> received = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            received.add(Jms.next(consumer).getJMSMessageID());
        }
        assertThat(received).isEqualTo(ids);
        assertThat(Jms.unexpected(consumer)).isNull();
    }
}
