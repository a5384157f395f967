package io.metaq.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.StreamMessage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MetaQStreamMessageTest {
    /** Reads the next value as a type. */
    private interface Next {
        Object from(StreamMessage message) throws JMSException;
    }

    private static final Map<String, Next> READS = new LinkedHashMap<>();

    static {
        READS.put("boolean", StreamMessage::readBoolean);
        READS.put("byte", StreamMessage::readByte);
        READS.put("short", StreamMessage::readShort);
        READS.put("char", StreamMessage::readChar);
        READS.put("int", StreamMessage::readInt);
        READS.put("long", StreamMessage::readLong);
        READS.put("float", StreamMessage::readFloat);
        READS.put("double", StreamMessage::readDouble);
        READS.put("String", StreamMessage::readString);
    }

    private static ConversionTable table(boolean received) {
        Map<String, ConversionTable.Read> reads = new LinkedHashMap<>();
        READS.forEach((type, read) -> reads.put(type, value -> {
            StreamMessage message = of(received, value);
            try {
                Object result = read.from(message);
                assertThatThrownBy(message::readObject).isInstanceOf(MessageEOFException.class);
                return result;
            } catch (RuntimeException | JMSException e) {
                // A read that fails does not go on.
                assertThat(message.readObject()).isEqualTo(value);
                throw e;
            }
        }));
        return new ConversionTable(reads);
    }

    private static MetaQStreamMessage of(boolean received, Object... values) throws JMSException {
        MetaQStreamMessage message = new MetaQStreamMessage();
        for (Object value : values) {
            message.writeObject(value);
        }
        if (received) {
            return Transfer.received(message);
        }
        message.reset();
        return message;
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
    void shouldWriteEachTypeAsItIs() throws JMSException {
        MetaQStreamMessage message = new MetaQStreamMessage();
        message.writeBoolean(true);
        message.writeByte((byte) 1);
        message.writeShort((short) 2);
        message.writeChar('3');
        message.writeInt(4);
        message.writeLong(5);
        message.writeFloat(6);
        message.writeDouble(7);
        message.writeString("8");
        message.writeBytes(new byte[] {9});
        message.writeBytes(new byte[] {8, 9, 10}, 1, 1);
        message.writeString(null);
        MetaQStreamMessage received = Transfer.received(message);
        Object[] expected = {true, (byte) 1, (short) 2, '3', 4, 5L, 6f, 7d, "8", new byte[] {9}, new byte[] {9}, null};
        for (Object value : expected) {
            assertThat(received.readObject()).isEqualTo(value);
        }
        assertThatThrownBy(received::readObject).isInstanceOf(MessageEOFException.class);
        assertThatThrownBy(() -> message.writeObject(List.of())).isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> message.writeBytes(new byte[2], 1, 2)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void shouldReadByteArrayPieceByPiece() throws JMSException {
        MetaQStreamMessage message = of(true, new byte[] {1, 2, 3, 4, 5}, "next");
        byte[] buffer = new byte[2];
        assertThat(message.readBytes(buffer)).isEqualTo(2);
        for (Next read : READS.values()) {
            assertThatThrownBy(() -> read.from(message)).isInstanceOf(MessageFormatException.class);
        }
        assertThatThrownBy(message::readObject).isInstanceOf(MessageFormatException.class);
        assertThat(message.readBytes(buffer)).isEqualTo(2);
        assertThat(buffer).containsExactly(3, 4);
        assertThat(message.readBytes(buffer)).isEqualTo(1);
        assertThat(message.readString()).isEqualTo("next");
    }

    @Test
    void shouldEndByteArrayThatFillsTheBufferWithOneMoreRead() throws JMSException {
        MetaQStreamMessage message = of(true, new byte[] {1, 2, 3, 4}, new byte[0], null, "x");
        byte[] buffer = new byte[4];
        assertThat(message.readBytes(buffer)).isEqualTo(4);
        assertThatThrownBy(message::readString).isInstanceOf(MessageFormatException.class);
        assertThat(message.readBytes(buffer)).isEqualTo(-1);
        assertThat(message.readBytes(buffer)).isZero();
        assertThat(message.readBytes(buffer)).isEqualTo(-1);
        assertThatThrownBy(() -> message.readBytes(buffer)).isInstanceOf(MessageFormatException.class);
        assertThat(message.readString()).isEqualTo("x");
        assertThatThrownBy(() -> message.readBytes(buffer)).isInstanceOf(MessageEOFException.class);
    }

    @Test
    void shouldBeginAgainAfterReset() throws JMSException {
        MetaQStreamMessage message = of(true, new byte[] {1, 2, 3}, 5);
        message.readBytes(new byte[1]);
        message.reset();
        assertThat(message.readObject()).isEqualTo(new byte[] {1, 2, 3});
        assertThat(message.readInt()).isEqualTo(5);
    }

    @Test
    void shouldBeWriteOnlyThenReadOnly() throws JMSException {
        MetaQStreamMessage message = new MetaQStreamMessage();
        message.writeInt(1);
        assertThatThrownBy(message::readInt).isInstanceOf(MessageNotReadableException.class);
        assertThatThrownBy(message::readObject).isInstanceOf(MessageNotReadableException.class);
        assertThatThrownBy(() -> message.readBytes(new byte[1])).isInstanceOf(MessageNotReadableException.class);
        message.reset();
        assertThatThrownBy(() -> message.writeInt(1)).isInstanceOf(MessageNotWriteableException.class);
        assertThatThrownBy(() -> message.writeBytes(new byte[1], 0, 1))
                .isInstanceOf(MessageNotWriteableException.class);
        message.clearBody();
        message.writeInt(2);
        message.reset();
        assertThat(message.readInt()).isEqualTo(2);
        assertThatThrownBy(message::readInt).isInstanceOf(MessageEOFException.class);
    }

    @Test
    void shouldStayWriteableWhenSentAndNotChangeWhatWasSent() throws JMSException {
        MetaQStreamMessage message = new MetaQStreamMessage();
        message.writeInt(1);
        MetaQStreamMessage first = Transfer.received(message);
        message.writeInt(2);
        MetaQStreamMessage second = Transfer.received(message);
        assertThat(first.readInt()).isEqualTo(1);
        assertThatThrownBy(first::readInt).isInstanceOf(MessageEOFException.class);
        second.readInt();
        assertThat(second.readInt()).isEqualTo(2);
    }

    @Test
    void shouldHaveNoBodyAsObject() throws JMSException {
        MetaQStreamMessage message = of(true, 1);
        assertThatThrownBy(() -> message.getBody(Object.class)).isInstanceOf(MessageFormatException.class);
        assertThat(message.isBodyAssignableTo(Object.class)).isFalse();
        assertThat(new MetaQStreamMessage().isBodyAssignableTo(Object.class)).isFalse();
    }
}
