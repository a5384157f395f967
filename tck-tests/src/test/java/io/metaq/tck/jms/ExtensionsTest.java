package io.metaq.tck.jms;

import static io.metaq.tck.jms.Jms.next;
import static io.metaq.tck.jms.Jms.text;
import static io.metaq.tck.jms.Jms.texts;
import static io.metaq.tck.jms.Jms.unexpected;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.client.MetaqClient;
import io.metaq.jms.session.MetaQSession;
import io.metaq.jms.session.SubscriptionPosition;
import io.metaq.jms.session.TopicBrowser;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What goes beyond Jakarta Messaging. */
@Conformance
class ExtensionsTest {

    @Test
    void shouldAcknowledgeSingleMessages(Jms jms) throws JMSException {
        Queue queue = jms.queue();
        jms.send(queue, "a", "b", "c");
        Session session = jms.started().createSession(MetaQSession.INDIVIDUAL_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(queue);
        next(consumer);
        Message b = next(consumer);
        b.acknowledge();
        session.close();

        assertThat(texts(jms.session().createConsumer(queue), 2)).containsExactly("a", "c");
    }

    @Test
    void shouldBrowseWhatATopicRetains(Jms jms) throws JMSException {
        Topic topic = jms.topic();
        jms.send(topic, "a", "b");
        MetaQSession session = (MetaQSession) jms.started().createSession();
        List<String> browsed = new ArrayList<>();
        try (TopicBrowser browser = session.createTopicBrowser(topic)) {
            for (Message message : Collections.list(browser.getEnumeration())) {
                browsed.add(message.getBody(String.class));
            }
        }
        assertThat(browsed).containsExactly("a", "b");
    }

    @Test
    void shouldReplayADurableSubscription(Jms jms) throws JMSException {
        Connection connection = jms.connect(jms.name());
        connection.start();
        MetaQSession session = (MetaQSession) connection.createSession();
        Topic topic = jms.topic();
        jms.send(topic, "before");
        MessageConsumer first = session.createDurableConsumer(topic, "s");
        jms.send(topic, "a", "b");
        assertThat(texts(first, 2)).containsExactly("a", "b");
        first.close();
        session.seek("s", SubscriptionPosition.first());
        MessageConsumer again = session.createDurableConsumer(topic, "s");
        assertThat(texts(again, 3)).containsExactly("before", "a", "b");
        again.close();
        jms.send(topic, "skipped");
        session.seek("s", SubscriptionPosition.last());

        assertThat(unexpected(session.createDurableConsumer(topic, "s"))).isNull();
    }

    @Test
    void shouldPutAsideWhatFailsAgainAndAgain(Jms jms) throws JMSException {
        Queue queue = jms.queue();
        String dead = jms.name();
        jms.send(queue, "poison", "good");
        try (MetaqClient client = MetaqClient.builder()
                .servers(jms.uri().substring("metaq://".length()))
                .build()) {
            client.admin().alterTopic(queue.getQueueName(), Map.of("maxDeliveries", "3", "deadLetterQueue", dead));
        }
        Session session = jms.session(Session.SESSION_TRANSACTED);
        MessageConsumer consumer = session.createConsumer(queue);
        for (int i = 0; i < 3; i++) {
            assertThat(text(consumer)).isEqualTo("poison");
            session.rollback();
        }
        assertThat(text(consumer)).isEqualTo("good");
        session.commit();

        assertThat(text(jms.session().createConsumer(session.createQueue(dead))))
                .isEqualTo("poison");
    }

    @Test
    void shouldStreamLargeBodies(Jms jms) throws JMSException {
        byte[] large = new byte[5 << 20];
        new Random(7).nextBytes(large);
        Session session = jms.session();
        Queue queue = jms.queue();
        BytesMessage sent = session.createBytesMessage();
        sent.setObjectProperty("JMS_MetaQ_InputStream", new ByteArrayInputStream(large));
        session.createProducer(queue).send(sent);
        BytesMessage received = (BytesMessage) next(session.createConsumer(queue));
        ByteArrayOutputStream saved = new ByteArrayOutputStream();
        received.setObjectProperty("JMS_MetaQ_SaveStream", saved);

        assertThat(received.getBodyLength()).isEqualTo(large.length);
        assertThat(saved.toByteArray()).isEqualTo(large);
    }

    @Test
    void shouldKeepAGroupWithOneConsumer(Jms jms) throws JMSException {
        Queue queue = jms.queue();
        Session session = jms.session();
        MessageConsumer one = jms.session(Session.CLIENT_ACKNOWLEDGE).createConsumer(queue);
        MessageConsumer two = jms.session(Session.CLIENT_ACKNOWLEDGE).createConsumer(queue);
        MessageProducer producer = session.createProducer(queue);
        for (String group : List.of("g", "g", "h")) {
            Message message = session.createTextMessage(group);
            message.setStringProperty("JMSXGroupID", group);
            producer.send(message);
        }
        assertThat(text(one)).isEqualTo("g");
        assertThat(text(two)).isEqualTo("h");
        assertThat(unexpected(two)).isNull();
        assertThat(text(one)).isEqualTo("g");
    }
}
