package io.metaq.tck.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Conformance
class PropertiesTest {
    private static final Map<String, Object> ALL = Map.of(
            "boolean",
            true,
            "byte",
            (byte) -1,
            "short",
            (short) 300,
            "int",
            70_000,
            "long",
            1L << 40,
            "float",
            1.5f,
            "double",
            2.25d,
            "String",
            "größer");

    /** Reads a property in one of the ways that the API offers. */
    @FunctionalInterface
    private interface Getter {
        Object get(Message message, String name) throws JMSException;
    }

    private static final Map<String, Getter> GETTERS = new LinkedHashMap<>();

    static {
        GETTERS.put("boolean", Message::getBooleanProperty);
        GETTERS.put("byte", Message::getByteProperty);
        GETTERS.put("short", Message::getShortProperty);
        GETTERS.put("int", Message::getIntProperty);
        GETTERS.put("long", Message::getLongProperty);
        GETTERS.put("float", Message::getFloatProperty);
        GETTERS.put("double", Message::getDoubleProperty);
        GETTERS.put("String", Message::getStringProperty);
    }

    /** Table 3-3: what each type can be read as. */
    private static final Map<String, String> READABLE = Map.of(
            "boolean", "boolean String",
            "byte", "byte short int long String",
            "short", "short int long String",
            "int", "int long String",
            "long", "long String",
            "float", "float double String",
            "double", "double String");

    private static Message with(Session session, String name, Object value) throws JMSException {
        Message message = session.createMessage();
        message.setObjectProperty(name, value);
        return message;
    }

    static Stream<String> types() {
        return READABLE.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("types")
    @Covers(
            sections = {"3.5.2", "3.5.3", "3.5.4"},
            rules = 19)
    void shouldConvertByTheTableAndInNoOtherWay(String type, Jms jms) throws JMSException {
        Session session = jms.session();
        Message received = jms.through(session, with(session, "it", ALL.get(type)));
        List<String> readable = List.of(READABLE.get(type).split(" "));

        for (Map.Entry<String, Getter> getter : GETTERS.entrySet()) {
            if (readable.contains(getter.getKey())) {
                assertThat(getter.getValue().get(received, "it").toString())
                        .isEqualTo(ALL.get(type).toString());
            } else {
                assertThatThrownBy(() -> getter.getValue().get(received, "it"))
                        .as("%s read as %s", type, getter.getKey())
                        .isInstanceOf(MessageFormatException.class);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"boolean, true", "byte, -3", "short, 300", "int, 70000", "long, 5000000000", "float, 1.5", "double, 2.5"
    })
    @Covers(sections = "3.5.4", rules = 19)
    void shouldReadTextsAsWhatTheyHold(String type, String text, Jms jms) throws JMSException {
        Session session = jms.session();
        Message received = jms.through(session, with(session, "it", text));

        assertThat(GETTERS.get(type).get(received, "it").toString()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"byte", "short", "int", "long", "float", "double"})
    @Covers(
            sections = {"3.5.4", "3.5.8"},
            rules = 19)
    void shouldRefuseToReadOtherTextsAndAbsentPropertiesAsNumbers(String type, Jms jms) throws JMSException {
        Session session = jms.session();
        Message received = jms.through(session, with(session, "it", "no number"));
        Class<? extends Exception> absent = type.equals("float") || type.equals("double")
                ? NullPointerException.class // valueOf(null) of these two
                : NumberFormatException.class;

        assertThatThrownBy(() -> GETTERS.get(type).get(received, "it")).isInstanceOf(NumberFormatException.class);
        assertThatThrownBy(() -> GETTERS.get(type).get(received, "absent")).isInstanceOf(absent);
    }

    @Test
    @Covers(sections = "3.5.8", rules = 19)
    void shouldTreatAbsentPropertiesAsNull(Jms jms) throws JMSException {
        Message received = jms.through(jms.session(), jms.session().createMessage());

        assertThat(received.getStringProperty("absent")).isNull();
        assertThat(received.getObjectProperty("absent")).isNull();
        assertThat(received.getBooleanProperty("absent")).isFalse();
        assertThat(received.propertyExists("absent")).isFalse();
    }

    @Test
    @Covers(sections = "3.5.5")
    void shouldGiveObjectsOfTheTypesThatWereSet(Jms jms) throws JMSException {
        Session session = jms.session();
        Message message = session.createMessage();
        for (Map.Entry<String, Object> property : ALL.entrySet()) {
            message.setObjectProperty("of_" + property.getKey(), property.getValue());
        }
        message.setObjectProperty("of_null", null);
        Message received = jms.through(session, message);

        for (Map.Entry<String, Object> property : ALL.entrySet()) {
            assertThat(received.getObjectProperty("of_" + property.getKey())).isEqualTo(property.getValue());
        }
        assertThat(received.getObjectProperty("of_null")).isNull();
    }

    static Stream<Object> otherTypes() {
        return Stream.of('c', new byte[1], List.of(), Map.of(), new Object());
    }

    @ParameterizedTest
    @MethodSource("otherTypes")
    @Covers(sections = "3.5.5", rules = 19)
    void shouldRefuseObjectsOfOtherTypes(Object value, Jms jms) throws JMSException {
        Message message = jms.session().createMessage();

        assertThatThrownBy(() -> message.setObjectProperty("it", value)).isInstanceOf(MessageFormatException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1a", "a b", "a-b", "a.b"})
    @Covers(sections = "3.5.1", rules = 19)
    void shouldRefuseNamesThatNoSelectorCouldUse(String name, Jms jms) throws JMSException {
        Message message = jms.session().createMessage();

        assertThatThrownBy(() -> message.setStringProperty(name, "x"))
                .isInstanceOfAny(IllegalArgumentException.class, JMSException.class);
    }

    @Test
    @Covers(sections = "3.5.1", rules = 19)
    void shouldRefuseNamesThatAreEmptyOrReserved(Jms jms) throws JMSException {
        Message message = jms.session().createMessage();

        assertThatThrownBy(() -> message.setIntProperty("", 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> message.setIntProperty(null, 1)).isInstanceOf(IllegalArgumentException.class);
        for (String reserved :
                List.of("NULL", "TRUE", "FALSE", "NOT", "AND", "OR", "BETWEEN", "LIKE", "IN", "IS", "ESCAPE")) {
            assertThatThrownBy(() -> message.setIntProperty(reserved, 1))
                    .as(reserved)
                    .isInstanceOfAny(IllegalArgumentException.class, JMSException.class);
        }
        message.setIntProperty("$_größer1", 1);
        assertThat(message.getIntProperty("$_größer1")).isEqualTo(1);
    }

    @Test
    @Covers(sections = "3.5.6", rules = 12)
    void shouldListNamesOfPropertiesAndNotOfHeaders(Jms jms) throws JMSException {
        Session session = jms.session();
        Message message = with(session, "mine", 1);
        message.setJMSType("t");
        Message received = jms.through(session, message);

        assertThat(names(message)).containsExactly("mine");
        assertThat(names(received)).containsExactlyInAnyOrder("mine", "JMSXDeliveryCount");
    }

    private static List<Object> names(Message message) throws JMSException {
        return new ArrayList<>(Collections.list(message.getPropertyNames()));
    }

    @Test
    @Covers(
            sections = {"3.5.3", "3.5.7"},
            rules = 21)
    void shouldBeReadOnlyWhenReceivedUntilCleared(Jms jms) throws JMSException {
        Session session = jms.session();
        Message sent = session.createTextMessage("body");
        sent.setIntProperty("it", 1);
        var received = (jakarta.jms.TextMessage) jms.through(session, sent);

        assertThatThrownBy(() -> received.setIntProperty("it", 2)).isInstanceOf(MessageNotWriteableException.class);
        received.clearProperties();
        assertThat(received.propertyExists("it")).isFalse();
        received.setIntProperty("it", 2);
        assertThat(received.getIntProperty("it")).isEqualTo(2);
        assertThat(received.getText()).isEqualTo("body");
        assertThatThrownBy(() -> received.setText("x")).isInstanceOf(MessageNotWriteableException.class);
    }

    @Test
    @Covers(sections = "3.5.9", rules = 12)
    void shouldSupportGroupsAndTheDeliveryCount(Jms jms) throws JMSException {
        Session session = jms.session();
        Message message = session.createMessage();
        message.setStringProperty("JMSXGroupID", "g");
        message.setIntProperty("JMSXGroupSeq", 3);
        Message received = jms.through(session, message);

        assertThat(received.getStringProperty("JMSXGroupID")).isEqualTo("g");
        assertThat(received.getIntProperty("JMSXGroupSeq")).isEqualTo(3);
        assertThat(Collections.list(jms.connect().getMetaData().getJMSXPropertyNames()))
                .contains("JMSXGroupID", "JMSXGroupSeq", "JMSXDeliveryCount");
    }

    @Test
    @Covers(sections = "3.5.10")
    void shouldTakeThePropertiesOfOtherProviders(Jms jms) throws JMSException {
        Session session = jms.session();

        assertThat(jms.through(session, with(session, "JMS_Other_Thing", "x")).getStringProperty("JMS_Other_Thing"))
                .isEqualTo("x");
    }

    @Test
    @Covers(sections = "3.5.11", rules = 12)
    void shouldCountDeliveries(Jms jms) throws JMSException {
        Queue queue = jms.queue();
        jms.send(queue, "a");
        Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(queue);

        for (int count = 1; count <= 3; count++) {
            Message message = Jms.next(consumer);
            assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(count);
            assertThat(message.getJMSRedelivered()).isEqualTo(count > 1);
            session.recover();
        }
    }
}
