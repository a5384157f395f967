package io.metaq.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MetaQMapMessageTest {
    /** Gets an item as a type. */
    private interface Get {
        Object from(MapMessage message, String name) throws JMSException;
    }

    private static ConversionTable table(boolean received) {
        Map<String, Get> gets = new LinkedHashMap<>();
        gets.put("boolean", MapMessage::getBoolean);
        gets.put("byte", MapMessage::getByte);
        gets.put("short", MapMessage::getShort);
        gets.put("char", MapMessage::getChar);
        gets.put("int", MapMessage::getInt);
        gets.put("long", MapMessage::getLong);
        gets.put("float", MapMessage::getFloat);
        gets.put("double", MapMessage::getDouble);
        gets.put("String", MapMessage::getString);
        gets.put("byte[]", MapMessage::getBytes);
        Map<String, ConversionTable.Read> reads = new LinkedHashMap<>();
        gets.forEach((type, get) -> reads.put(type, value -> {
            MetaQMapMessage message = new MetaQMapMessage();
            message.setObject("p", value);
            return get.from(received ? Transfer.received(message) : message, "p");
        }));
        return new ConversionTable(reads);
    }

    @Test
    void shouldConvertByTheTable() throws JMSException {
        for (boolean received : new boolean[] {false, true}) {
            table(received).checkValues(Set.of());
            table(received).checkStrings();
            table(received).checkNull();
        }
    }

    @Test
    void shouldReadAbsentItemsAsNull() throws JMSException {
        MetaQMapMessage message = new MetaQMapMessage();
        assertThat(message.getObject("absent")).isNull();
        assertThat(message.getString("absent")).isNull();
        assertThat(message.getBytes("absent")).isNull();
        assertThat(message.getBoolean("absent")).isFalse();
        assertThat(message.itemExists("absent")).isFalse();
        assertThatThrownBy(() -> message.getChar("absent")).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> message.getInt("absent")).isInstanceOf(NumberFormatException.class);
    }

    @Test
    void shouldRefuseNamelessItemsAndOtherTypes() throws JMSException {
        MetaQMapMessage message = new MetaQMapMessage();
        for (String name : new String[] {null, ""}) {
            assertThatThrownBy(() -> message.setInt(name, 1)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> message.setBytes(name, new byte[1])).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> message.setBytes(name, new byte[1], 0, 1))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> message.setObject(name, 1)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> message.setObject("a", List.of())).isInstanceOf(MessageFormatException.class);
        message.setInt("any name, since no selector sees it", 1);
    }

    @Test
    void shouldKeepItsOwnBytes() throws JMSException {
        MetaQMapMessage message = new MetaQMapMessage();
        byte[] bytes = {1, 2, 3};
        message.setBytes("all", bytes);
        message.setBytes("part", bytes, 1, 2);
        message.setBytes("null", null);
        bytes[1] = 9;
        assertThat(message.getBytes("all")).containsExactly(1, 2, 3);
        assertThat(message.getBytes("part")).containsExactly(2, 3);
        assertThat(message.itemExists("null")).isTrue();
        message.getBytes("all")[0] = 9;
        ((byte[]) message.getObject("all"))[0] = 9;
        ((byte[]) message.getBody(Map.class).get("all"))[0] = 9;
        assertThat(message.getBytes("all")).containsExactly(1, 2, 3);
        assertThatThrownBy(() -> message.setBytes("x", bytes, 2, 2)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    @SuppressWarnings("unchecked")
    void shouldBeReadOnlyWhenReceivedUntilCleared() throws JMSException {
        MetaQMapMessage message = new MetaQMapMessage();
        message.setInt("b", 1);
        message.setString("a", null);
        MetaQMapMessage received = Transfer.received(message);
        assertThat(Collections.list((Enumeration<String>) received.getMapNames()))
                .containsExactly("b", "a");
        assertThatThrownBy(() -> received.setInt("b", 2)).isInstanceOf(MessageNotWriteableException.class);
        assertThatThrownBy(() -> received.setBytes("b", new byte[1], 0, 1))
                .isInstanceOf(MessageNotWriteableException.class);
        received.clearBody();
        assertThat(received.getMapNames().hasMoreElements()).isFalse();
        received.setInt("c", 2);
        assertThat(received.getInt("c")).isEqualTo(2);
    }

    @Test
    void shouldBeAMapAsBody() throws JMSException {
        MetaQMapMessage message = new MetaQMapMessage();
        assertThat(message.getBody(String.class)).isNull();
        assertThat(message.isBodyAssignableTo(String.class)).isTrue();
        message.setInt("a", 1);
        MetaQMapMessage received = Transfer.received(message);
        assertThat(received.getBody(Map.class)).isEqualTo(Map.of("a", 1));
        assertThat(received.getBody(Object.class)).isEqualTo(Map.of("a", 1));
        assertThat(received.isBodyAssignableTo(Map.class)).isTrue();
        assertThat(received.isBodyAssignableTo(HashMap.class)).isFalse();
        assertThatThrownBy(() -> received.getBody(HashMap.class)).isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> received.getBody(String.class)).isInstanceOf(MessageFormatException.class);
    }
}
