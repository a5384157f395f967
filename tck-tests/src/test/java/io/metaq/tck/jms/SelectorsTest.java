package io.metaq.tck.jms;

import static io.metaq.tck.jms.Jms.text;
import static io.metaq.tck.jms.Jms.texts;
import static io.metaq.tck.jms.Jms.unexpected;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.DeliveryMode;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

@Conformance
class SelectorsTest {

    private static void sendNumbered(Session session, Queue queue, int count) throws JMSException {
        try (MessageProducer producer = session.createProducer(queue)) {
            for (int i = 0; i < count; i++) {
                Message message = session.createTextMessage(Integer.toString(i));
                message.setIntProperty("n", i);
                producer.send(message);
            }
        }
    }

    @Test
    @Covers(
            sections = {"3.8.1", "4.1.2"},
            rules = 4)
    void shouldLeaveWhatDoesNotMatchToOtherConsumersOfAQueue(Jms jms) throws JMSException {
        Session session = jms.session();
        Queue queue = jms.queue();
        sendNumbered(session, queue, 6);
        MessageConsumer high = session.createConsumer(queue, "n >= 4");
        MessageConsumer middle = jms.session().createConsumer(queue, "n IN ('x') OR n = 2");

        assertThat(texts(high, 2)).containsExactly("4", "5");
        assertThat(text(middle)).isEqualTo("2");
        assertThat(unexpected(high)).isNull();
        high.close();
        middle.close();
        assertThat(texts(jms.session().createConsumer(queue), 3)).containsExactly("0", "1", "3");
    }

    @Test
    @Covers(
            sections = {"3.8.1", "4.2.2"},
            rules = 4)
    void shouldAddToASubscriptionOnlyWhatMatches(Jms jms) throws JMSException {
        Session session = jms.session();
        Topic topic = jms.topic();
        MessageConsumer odd = session.createConsumer(topic, "odd = TRUE");
        MessageProducer producer = session.createProducer(topic);
        for (int i = 0; i < 4; i++) {
            Message message = session.createTextMessage("" + i);
            message.setBooleanProperty("odd", i % 2 == 1);
            producer.send(message);
        }
        assertThat(texts(odd, 2)).containsExactly("1", "3");
        assertThat(unexpected(odd)).isNull();
    }

    @Test
    @Covers(sections = "4.1.2", rules = 4)
    void shouldFindAMatchBehindManyThatDoNotMatch(Jms jms) throws JMSException {
        Session session = jms.session();
        Queue queue = jms.queue();
        sendNumbered(session, queue, 2_000);

        assertThat(text(session.createConsumer(queue, "n = 1999"))).isEqualTo("1999");
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = "")
    @Covers(sections = "3.8.1.1", rules = 4)
    void shouldTakeNoneAndTheEmptySelectorForNoSelector(String selector, Jms jms) throws JMSException {
        Session session = jms.session();
        Queue queue = jms.queue();
        Topic topic = jms.topic();
        MessageConsumer subscriber = session.createConsumer(topic, selector);
        jms.send(queue, "q");
        jms.send(topic, "t");

        assertThat(text(session.createConsumer(queue, selector))).isEqualTo("q");
        assertThat(text(subscriber)).isEqualTo("t");
        assertThat(session.createConsumer(queue, selector).getMessageSelector()).isNullOrEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "=",
                "a =",
                "a = 'x",
                "a LIKE 1",
                "a IN ()",
                "a BETWEEN 1",
                "(a = 1",
                "NOT",
                "a ESCAPE 'x'",
                "1a = 1",
                "definitely not a selector!"
            })
    @Covers(
            sections = {"3.8.1.1", "10.3"},
            rules = 4)
    void shouldRefuseWrongSelectorsWhenTheyArePresented(String selector, Jms jms) throws JMSException {
        Session session = jms.session();
        Queue queue = jms.queue();
        Topic topic = jms.topic();

        assertThatThrownBy(() -> session.createConsumer(queue, selector)).isInstanceOf(InvalidSelectorException.class);
        assertThatThrownBy(() -> session.createConsumer(topic, selector)).isInstanceOf(InvalidSelectorException.class);
        assertThatThrownBy(() -> session.createBrowser(queue, selector)).isInstanceOf(InvalidSelectorException.class);
    }

    /** A message with everything a selector may ask for. */
    private static Message car(Session session) throws JMSException {
        Message message = session.createTextMessage("car");
        message.setJMSType("car");
        message.setJMSCorrelationID("corr");
        message.setStringProperty("color", "blue");
        message.setIntProperty("weight", 2600);
        message.setDoubleProperty("price", 99.5);
        message.setBooleanProperty("used", false);
        message.setStringProperty("phone", "12993");
        message.setStringProperty("word", "_foo");
        message.setStringProperty("NumberOfOrders", "2");
        message.setStringProperty("quoted", "it's");
        return message;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "JMSType = 'car' AND color = 'blue' AND weight > 2500 | true",
                "jmstype = 'car' | false",
                "weight BETWEEN 2600 AND 2700 | true",
                "weight NOT BETWEEN 2600 AND 2700 | false",
                "weight + 1 * 2 = 2602 and weight / 2 = 1300 | true",
                "-weight = -2600 AND +price < 1E2 | true",
                "price > 99 AND price < 99.6 | true",
                "weight = 2600.0 | true",
                "weight = '2600' | false",
                "NumberOfOrders > 1 | false",
                "used = FALSE AND NOT used | true",
                "color IN ('red', 'blue') | true",
                "color NOT IN ('red', 'blue') | false",
                "phone LIKE '12%3' | true",
                "phone NOT LIKE '12%3' | false",
                "word LIKE '\\_%' ESCAPE '\\' | true",
                "word LIKE '_f__' | true",
                "quoted = 'it''s' | true",
                "color <> 'red' | true",
                "JMSCorrelationID = 'corr' | true",
                "color = 'red' OR color = 'blue' AND weight < 1 | false",
                "0x0A = 10 AND weight > 0 | true",
            })
    @Covers(sections = "3.8.1.1", rules = 4)
    void shouldEvaluateTheWholeGrammar(String selector, boolean matches, Jms jms) throws JMSException {
        assertThat(matches(jms, selector)).isEqualTo(matches);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "absent IS NULL | true",
                "absent IS NOT NULL | false",
                "color IS NOT NULL | true",
                "absent = 1 | false",
                "NOT (absent = 1) | false",
                "absent <> 1 | false",
                "absent = 1 OR color = 'blue' | true",
                "absent = 1 AND color = 'blue' | false",
                "NOT (absent = 1 AND color = 'red') | true",
                "absent IN ('a') OR absent NOT IN ('a') | false",
                "absent LIKE 'a' OR absent NOT LIKE 'a' | false",
                "absent BETWEEN 1 AND 2 OR absent NOT BETWEEN 1 AND 2 | false",
                "absent + 1 > 0 | false"
            })
    @Covers(sections = "3.8.1.2", rules = 4)
    void shouldCountWithTheUnknown(String selector, boolean matches, Jms jms) throws JMSException {
        assertThat(matches(jms, selector)).isEqualTo(matches);
    }

    private static boolean matches(Jms jms, String selector) throws JMSException {
        Session session = jms.session();
        Queue queue = jms.queue();
        session.createProducer(queue).send(car(session));
        return session.createBrowser(queue, selector).getEnumeration().hasMoreElements();
    }

    @Test
    @Covers(sections = "3.8.1.3", rules = 4)
    void shouldSelectByHeaders(Jms jms) throws JMSException {
        Session session = jms.session();
        Queue queue = jms.queue();
        Message message = session.createTextMessage("it");
        session.createProducer(queue).send(message, DeliveryMode.NON_PERSISTENT, 8, 0);
        String selector =
                "JMSDeliveryMode = 'NON_PERSISTENT' AND JMSPriority = 8 AND JMSTimestamp = %d AND JMSMessageID = '%s'"
                        .formatted(message.getJMSTimestamp(), message.getJMSMessageID());

        assertThat(session.createBrowser(queue, "JMSDeliveryMode = 'PERSISTENT'")
                        .getEnumeration()
                        .hasMoreElements())
                .isFalse();
        assertThat(text(session.createConsumer(queue, selector))).isEqualTo("it");
    }
}
