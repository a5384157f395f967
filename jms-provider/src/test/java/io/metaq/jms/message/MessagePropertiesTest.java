package io.metaq.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MessagePropertiesTest {
    /** Gets a property as a type. */
    private interface Get {
        Object from(Message message, String name) throws JMSException;
    }

    private static final Map<String, Get> GETS = new LinkedHashMap<>();

    static {
        GETS.put("boolean", Message::getBooleanProperty);
        GETS.put("byte", Message::getByteProperty);
        GETS.put("short", Message::getShortProperty);
        GETS.put("int", Message::getIntProperty);
        GETS.put("long", Message::getLongProperty);
        GETS.put("float", Message::getFloatProperty);
        GETS.put("double", Message::getDoubleProperty);
        GETS.put("String", Message::getStringProperty);
    }

    private static ConversionTable table(boolean received) {
        Map<String, ConversionTable.Read> reads = new LinkedHashMap<>();
        GETS.forEach((type, get) -> reads.put(type, value -> {
            MetaQMessage message = new MetaQMessage();
            message.setObjectProperty("p", value);
            return get.from(received ? Transfer.received(message) : message, "p");
        }));
        return new ConversionTable(reads);
    }

    @Test
    void shouldConvertByTheTable() throws JMSException {
        for (boolean received : new boolean[] {false, true}) {
            table(received).checkValues(Set.of("char", "byte[]"));
            table(received).checkStrings();
            table(received).checkNull();
        }
    }

    @Test
    void shouldReadAbsentPropertiesAsNull() throws JMSException {
        MetaQMessage message = new MetaQMessage();
        assertThat(message.getBooleanProperty("absent")).isFalse();
        assertThat(message.getStringProperty("absent")).isNull();
        assertThat(message.getObjectProperty("absent")).isNull();
        assertThatThrownBy(() -> message.getIntProperty("absent")).isInstanceOf(NumberFormatException.class);
        assertThatThrownBy(() -> message.getDoubleProperty("absent")).isInstanceOf(NullPointerException.class);
        assertThat(message.propertyExists("absent")).isFalse();
    }

    @Test
    void shouldKeepTypesOfTypedSetters() throws JMSException {
        MetaQMessage message = new MetaQMessage();
        message.setBooleanProperty("bool", true);
        message.setByteProperty("b", (byte) 1);
        message.setShortProperty("s", (short) 2);
        message.setIntProperty("i", 3);
        message.setLongProperty("l", 4);
        message.setFloatProperty("f", 5);
        message.setDoubleProperty("d", 6);
        message.setStringProperty("t", "7");
        message.setStringProperty("n", null);
        Message received = Transfer.received(message);
        for (String name : List.of("bool", "b", "s", "i", "l", "f", "d", "t", "n")) {
            assertThat(received.getObjectProperty(name)).as(name).isEqualTo(message.getObjectProperty(name));
            assertThat(received.propertyExists(name)).isTrue();
        }
        assertThat(received.getObjectProperty("f")).isEqualTo(5f);
    }

    @Test
    void shouldRefuseOtherTypes() {
        MetaQMessage message = new MetaQMessage();
        for (Object value : List.of('c', new byte[1], Map.of(), List.of(), new Object(), new int[0])) {
            assertThatThrownBy(() -> message.setObjectProperty("p", value))
                    .isExactlyInstanceOf(MessageFormatException.class);
        }
    }

    @Test
    void shouldRefuseNamesThatNoSelectorCouldUse() throws JMSException {
        MetaQMessage message = new MetaQMessage();
        assertThatThrownBy(() -> message.setIntProperty("", 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> message.setIntProperty(null, 1)).isInstanceOf(IllegalArgumentException.class);
        for (String name : List.of("a-b", "1a", "a b", "a.b", "NULL", "NOT", "ESCAPE", "IN", "JMSfoo", "JMSPriority")) {
            assertThatThrownBy(() -> message.setIntProperty(name, 1)).as(name).isInstanceOf(JMSException.class);
        }
        for (String name :
                List.of("a", "_a", "$", "Größe", "JMS_Other_x", "JMSXGroupSeq", "notes", "betweens", "true")) {
            message.setIntProperty(name, 1);
        }
    }

    @Test
    void shouldTypeTheGroup() throws JMSException {
        MetaQMessage message = new MetaQMessage();
        assertThatThrownBy(() -> message.setIntProperty("JMSXGroupID", 1)).isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> message.setStringProperty("JMSXGroupSeq", "1"))
                .isInstanceOf(MessageFormatException.class);
        message.setStringProperty("JMSXGroupID", "g");
        message.setShortProperty("JMSXGroupSeq", (short) 7);
        Message received = Transfer.received(message);
        assertThat(received.getStringProperty("JMSXGroupID")).isEqualTo("g");
        assertThat(received.getObjectProperty("JMSXGroupSeq")).isEqualTo(7);
    }

    @Test
    void shouldListNamesWithTheDeliveryCountOfReceivedMessagesAndWithoutHeaders() throws JMSException {
        MetaQMessage message = new MetaQMessage();
        message.setJMSCorrelationID("c");
        message.setIntProperty("a", 1);
        message.setStringProperty("JMSXGroupID", "g");
        assertThat(names(message)).containsExactly("a", "JMSXGroupID");
        Message received = Transfer.received(message, 3);
        assertThat(names(received)).containsExactlyInAnyOrder("a", "JMSXGroupID", "JMSXDeliveryCount");
        assertThat(received.getIntProperty("JMSXDeliveryCount")).isEqualTo(3);
        assertThat(received.getStringProperty("JMSXDeliveryCount")).isEqualTo("3");
        assertThat(received.getJMSRedelivered()).isTrue();
        assertThat(Transfer.received(message, 1).getJMSRedelivered()).isFalse();
    }

    @Test
    void shouldNotSendTheDeliveryCount() throws JMSException {
        MetaQMessage message = new MetaQMessage();
        message.setIntProperty("JMSXDeliveryCount", 77);
        Message received = Transfer.received(message);
        assertThat(received.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        Message again = Transfer.received((MetaQMessage) received, 2);
        assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
    }

    @Test
    void shouldBeReadOnlyWhenReceivedUntilCleared() throws JMSException {
        MetaQTextMessage message = new MetaQTextMessage();
        message.setText("text");
        message.setIntProperty("a", 1);
        message.setJMSType("type");
        MetaQTextMessage received = Transfer.received(message);
        assertThatThrownBy(() -> received.setIntProperty("a", 2)).isInstanceOf(MessageNotWriteableException.class);
        received.clearProperties();
        assertThat(names(received)).isEmpty();
        assertThat(received.getText()).isEqualTo("text");
        assertThat(received.getJMSType()).isEqualTo("type");
        received.setIntProperty("b", 2);
        assertThat(received.getIntProperty("b")).isEqualTo(2);
        assertThatThrownBy(() -> received.setText("x")).isInstanceOf(MessageNotWriteableException.class);
    }

    @Test
    void shouldNotTouchPropertiesWhenTheBodyIsCleared() throws JMSException {
        MetaQTextMessage message = new MetaQTextMessage();
        message.setIntProperty("a", 1);
        message.clearBody();
        assertThat(message.getIntProperty("a")).isEqualTo(1);
        MetaQTextMessage received = Transfer.received(message);
        received.clearBody();
        received.setText("x");
        assertThatThrownBy(() -> received.setIntProperty("a", 2)).isInstanceOf(MessageNotWriteableException.class);
        assertThat(received.getIntProperty("a")).isEqualTo(1);
    }

    @SuppressWarnings("unchecked")
    private static List<String> names(Message message) throws JMSException {
        return Collections.list(message.getPropertyNames());
    }
}
