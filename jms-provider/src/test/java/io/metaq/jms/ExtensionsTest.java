package io.metaq.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.jms.broker.BrokerExtension;
import io.metaq.jms.broker.LocalBroker;
import io.metaq.jms.session.MetaQSession;
import io.metaq.jms.session.SubscriptionPosition;
import io.metaq.jms.session.TopicBrowser;
import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a log can do beyond the specification. */
@ExtendWith(BrokerExtension.class)
@Timeout(60)
class ExtensionsTest {

    private static final long SOON = 30_000;

    private final LocalBroker broker;

    ExtensionsTest(LocalBroker broker) {
        this.broker = broker;
    }

    @Test
    void shouldBrowseWhatATopicRetains() throws Exception {
        try (Connection connection = broker.factory().createConnection()) {
            MetaQSession session = (MetaQSession) connection.createSession();
            Topic topic = session.createTopic("retained");
            send(session, topic, 5);
            try (TopicBrowser browser = session.createTopicBrowser(topic)) {
                assertThat(texts(browser.getEnumeration())).containsExactly("m0", "m1", "m2", "m3", "m4");
                assertThat(browser.getTopic()).isEqualTo(topic);
                assertThat(browser.getMessageSelector()).isNull();
            }
            try (TopicBrowser browser = session.createTopicBrowser(topic, "n > 2")) {
                assertThat(texts(browser.getEnumeration())).containsExactly("m3", "m4");
            }
        }
    }

    @Test
    void shouldRefuseATopicBrowserOfNothing() throws Exception {
        try (Connection connection = broker.factory().createConnection()) {
            MetaQSession session = (MetaQSession) connection.createSession();
            assertThatThrownBy(() -> session.createTopicBrowser(null)).isInstanceOf(InvalidDestinationException.class);
            Topic temporary = session.createTemporaryTopic();
            assertThatThrownBy(() -> session.createTopicBrowser(temporary))
                    .isInstanceOf(InvalidDestinationException.class);
            Topic topic = session.createTopic("retained-bad");
            assertThatThrownBy(() -> session.createTopicBrowser(topic, "n >"))
                    .isInstanceOf(InvalidSelectorException.class);
            TopicBrowser browser = session.createTopicBrowser(topic);
            session.close();
            assertThatThrownBy(browser::getEnumeration).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void shouldReplayADurableSubscription() throws Exception {
        try (Connection connection = broker.factory().createConnection()) {
            connection.setClientID("replaying");
            connection.start();
            MetaQSession session = (MetaQSession) connection.createSession();
            Topic topic = session.createTopic("replayed");
            MessageConsumer consumer = session.createDurableConsumer(topic, "mine");
            send(session, topic, 3);
            expect(consumer, 0, 3);

            session.seek("mine", SubscriptionPosition.first());
            expect(consumer, 0, 3);
            assertThat(consumer.receiveNoWait()).isNull();

            send(session, topic, 2);
            session.seek("mine", SubscriptionPosition.last());
            assertThat(consumer.receiveNoWait()).isNull();
            consumer.close();
            session.unsubscribe("mine");
        }
    }

    @Test
    void shouldSayThatThereIsNoSuchSubscriptionToMove() throws Exception {
        try (Connection connection = broker.factory().createConnection()) {
            connection.setClientID("nobody");
            MetaQSession session = (MetaQSession) connection.createSession();
            assertThatThrownBy(() -> session.seek("unknown", SubscriptionPosition.first()))
                    .isInstanceOf(InvalidDestinationException.class);
        }
    }

    private static void send(Session session, Topic topic, int count) throws JMSException {
        MessageProducer producer = session.createProducer(topic);
        for (int i = 0; i < count; i++) {
            TextMessage message = session.createTextMessage("m" + i);
            message.setIntProperty("n", i);
            producer.send(message);
        }
        producer.close();
    }

    private static void expect(MessageConsumer consumer, int from, int to) throws JMSException {
        for (int i = from; i < to; i++) {
            TextMessage message = (TextMessage) consumer.receive(SOON);
            assertThat(message).as("m" + i).isNotNull();
            assertThat(message.getText()).isEqualTo("m" + i);
        }
    }

    private static List<String> texts(Enumeration<Message> messages) throws JMSException {
        List<String> texts = new ArrayList<>();
        while (messages.hasMoreElements()) {
            texts.add(((TextMessage) messages.nextElement()).getText());
        }
        return texts;
    }
}
