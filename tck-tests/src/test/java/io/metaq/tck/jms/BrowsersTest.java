package io.metaq.tck.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

@Conformance
class BrowsersTest {

    private static List<String> browse(QueueBrowser browser) throws JMSException {
        List<String> texts = new ArrayList<>();
        for (Object message : Collections.list(browser.getEnumeration())) {
            texts.add(((TextMessage) message).getText());
        }
        return texts;
    }

    @Test
    @Covers(sections = "4.1.6", rules = 33)
    void shouldShowMessagesInOrderAndLeaveThemAsTheyWere(Jms jms) throws JMSException {
        Session session = jms.session();
        Queue queue = jms.queue();
        jms.send(queue, "a", "b", "c");
        QueueBrowser browser = session.createBrowser(queue);

        assertThat(browse(browser)).containsExactly("a", "b", "c");
        assertThat(browse(browser)).containsExactly("a", "b", "c");
        assertThat(browser.getQueue()).isEqualTo(queue);
        assertThat(browser.getMessageSelector()).isNull();
        browser.close();
        Message first = Jms.next(session.createConsumer(queue));
        assertThat(first.getJMSRedelivered()).isFalse();
        assertThat(first.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
    }

    @Test
    @Covers(sections = "4.1.6", rules = 33)
    void shouldShowOnlyWhatMatches(Jms jms) throws JMSException {
        Session session = jms.session();
        Queue queue = jms.queue();
        MessageProducer producer = session.createProducer(queue);
        for (int i = 0; i < 10; i++) {
            Message message = session.createTextMessage("" + i);
            message.setIntProperty("n", i);
            producer.send(message);
        }
        QueueBrowser browser = session.createBrowser(queue, "n > 7");

        assertThat(browse(browser)).containsExactly("8", "9");
        assertThat(browser.getMessageSelector()).isEqualTo("n > 7");
    }

    @Test
    @Covers(sections = "4.1.6", rules = 33)
    void shouldEndAndBeEmptyForAnEmptyQueue(Jms jms) throws JMSException {
        QueueBrowser browser = jms.session().createBrowser(jms.queue());
        var enumeration = browser.getEnumeration();

        assertThat(enumeration.hasMoreElements()).isFalse();
        assertThatThrownBy(enumeration::nextElement).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    @Covers(
            sections = {"4.1.6", "6.2.7"},
            rules = 33)
    void shouldShowOnlyWhatIsCommittedDueAndNotExpired(Jms jms) throws JMSException {
        Queue queue = jms.queue();
        Session transacted = jms.session(Session.SESSION_TRANSACTED);
        Jms.send(transacted, queue, "uncommitted");
        Session session = jms.session();
        MessageProducer producer = session.createProducer(queue);
        producer.send(session.createTextMessage("expired"), 2, 4, 1);
        producer.setDeliveryDelay(60_000);
        producer.send(session.createTextMessage("delayed"));
        producer.setDeliveryDelay(0);
        producer.send(session.createTextMessage("visible"));
        QueueBrowser browser = session.createBrowser(queue);

        org.awaitility.Awaitility.await()
                .untilAsserted(() -> assertThat(browse(browser)).containsExactly("visible"));
        transacted.commit();
        assertThat(browse(browser)).containsExactlyInAnyOrder("visible", "uncommitted");
    }

    @Test
    @Covers(sections = "4.1.6", rules = 33)
    void shouldWorkBesideAConsumerAndOnAStoppedConnection(Jms jms) throws JMSException {
        Queue queue = jms.queue();
        MessageConsumer consumer = jms.session().createConsumer(queue);
        jms.send(queue, "a", "b");

        assertThat(browse(jms.connect().createSession().createBrowser(queue))).containsExactly("a", "b");
        assertThat(Jms.texts(consumer, 2)).containsExactly("a", "b");
        assertThat(browse(jms.session().createBrowser(queue))).isEmpty();
    }

    @Test
    @Covers(sections = "4.1.6", rules = 33)
    void shouldShowMoreThanFitsIntoAnyBuffer(Jms jms) throws JMSException {
        Queue queue = jms.queue();
        String[] texts = new String[3_000];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = "m" + i;
        }
        Session transacted = jms.session(Session.SESSION_TRANSACTED);
        Jms.send(transacted, queue, texts);
        transacted.commit();

        assertThat(browse(jms.session().createBrowser(queue))).containsExactly(texts);
    }
}
