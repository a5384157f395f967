package io.metaq.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.MessageNotWriteableException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MetaQBytesMessageTest {
    /** Reads something. */
    private interface Read {
        Object from(BytesMessage message) throws JMSException;
    }

    private static MetaQBytesMessage of(int... bytes) throws JMSException {
        MetaQBytesMessage message = new MetaQBytesMessage();
        for (int value : bytes) {
            message.writeByte((byte) value);
        }
        return Transfer.received(message);
    }

    @Test
    void shouldGiveBackWhatWasWritten() throws JMSException {
        MetaQBytesMessage message = new MetaQBytesMessage();
        List<Object> values = new ArrayList<>(List.of(
                true, (byte) -1, (short) -2, 'c', -4, -5L, 1.5f, -2.5, "Gruß\0\uD83D\uDE00", new byte[] {1, 2}));
        for (Object value : values) {
            message.writeObject(value);
        }
        message.writeByte((byte) 200);
        message.writeShort((short) 60_000);
        message.writeBytes(new byte[] {7, 8, 9}, 1, 1);
        MetaQBytesMessage received = Transfer.received(message);
        assertThat(received.readBoolean()).isTrue();
        assertThat(received.readByte()).isEqualTo((byte) -1);
        assertThat(received.readShort()).isEqualTo((short) -2);
        assertThat(received.readChar()).isEqualTo('c');
        assertThat(received.readInt()).isEqualTo(-4);
        assertThat(received.readLong()).isEqualTo(-5);
        assertThat(received.readFloat()).isEqualTo(1.5f);
        assertThat(received.readDouble()).isEqualTo(-2.5);
        assertThat(received.readUTF()).isEqualTo("Gruß\0\uD83D\uDE00");
        assertThat(received.readBytes(new byte[2])).isEqualTo(2);
        assertThat(received.readUnsignedByte()).isEqualTo(200);
        assertThat(received.readUnsignedShort()).isEqualTo(60_000);
        assertThat(received.readByte()).isEqualTo((byte) 8);
        assertThatThrownBy(received::readByte).isInstanceOf(MessageEOFException.class);
    }

    @Test
    void shouldNotGoOnWhenAReadFails() throws JMSException {
        List<Read> wide = List.of(
                BytesMessage::readShort,
                BytesMessage::readUnsignedShort,
                BytesMessage::readChar,
                BytesMessage::readInt,
                BytesMessage::readLong,
                BytesMessage::readFloat,
                BytesMessage::readDouble,
                BytesMessage::readUTF);
        for (Read read : wide) {
            MetaQBytesMessage message = of(5);
            assertThatThrownBy(() -> read.from(message)).isInstanceOf(MessageEOFException.class);
            assertThat(message.readByte()).isEqualTo((byte) 5);
        }
        MetaQBytesMessage cutText = of(0, 3, 'a', 'b');
        assertThatThrownBy(cutText::readUTF).isInstanceOf(MessageEOFException.class);
        assertThat(cutText.readInt()).isEqualTo(3 << 16 | 'a' << 8 | 'b');
        MetaQBytesMessage badText = of(0, 1, 0xFF);
        assertThatThrownBy(badText::readUTF).isInstanceOf(MessageFormatException.class);
        assertThat(badText.readShort()).isEqualTo((short) 1);
        for (Read read :
                List.<Read>of(BytesMessage::readBoolean, BytesMessage::readByte, BytesMessage::readUnsignedByte)) {
            assertThatThrownBy(() -> read.from(of())).isInstanceOf(MessageEOFException.class);
        }
    }

    @Test
    void shouldReadBytesToTheEnd() throws JMSException {
        MetaQBytesMessage message = of(1, 2, 3, 4, 5);
        byte[] buffer = new byte[3];
        assertThat(message.getBodyLength()).isEqualTo(5);
        assertThat(message.readBytes(buffer)).isEqualTo(3);
        assertThat(message.readBytes(buffer)).isEqualTo(2);
        assertThat(buffer).containsExactly(4, 5, 3);
        assertThat(message.readBytes(buffer)).isEqualTo(-1);
        message.reset();
        assertThat(message.readBytes(buffer, 1)).isEqualTo(1);
        assertThat(message.readBytes(buffer, 0)).isZero();
        assertThatThrownBy(() -> message.readBytes(buffer, 4)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> message.readBytes(buffer, -1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void shouldBeWriteOnlyThenReadOnly() throws JMSException {
        MetaQBytesMessage message = new MetaQBytesMessage();
        message.writeInt(7);
        assertThatThrownBy(message::getBodyLength).isInstanceOf(MessageNotReadableException.class);
        assertThatThrownBy(message::readInt).isInstanceOf(MessageNotReadableException.class);
        assertThatThrownBy(() -> message.readBytes(new byte[1])).isInstanceOf(MessageNotReadableException.class);
        message.reset();
        assertThat(message.readInt()).isEqualTo(7);
        assertThatThrownBy(() -> message.writeInt(1)).isInstanceOf(MessageNotWriteableException.class);
        assertThatThrownBy(() -> message.writeObject(1)).isInstanceOf(MessageNotWriteableException.class);
        message.reset();
        assertThat(message.getBodyLength()).isEqualTo(4);
        message.clearBody();
        message.writeByte((byte) 1);
        message.reset();
        assertThat(message.getBodyLength()).isEqualTo(1);
    }

    @Test
    void shouldStayWriteableWhenSentAndNotChangeWhatWasSent() throws JMSException {
        MetaQBytesMessage message = new MetaQBytesMessage();
        message.writeByte((byte) 1);
        MetaQBytesMessage first = Transfer.received(message);
        message.writeByte((byte) 2);
        assertThat(Transfer.received(message).getBodyLength()).isEqualTo(2);
        assertThat(first.getBodyLength()).isEqualTo(1);
        assertThat(Transfer.received(first).getBody(byte[].class)).containsExactly(1);
    }

    @Test
    void shouldRefuseOtherObjects() {
        MetaQBytesMessage message = new MetaQBytesMessage();
        assertThatThrownBy(() -> message.writeObject(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> message.writeObject(List.of())).isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> message.writeUTF("x".repeat(70_000))).isInstanceOf(MessageFormatException.class);
    }

    @Test
    void shouldBeBytesAsBody() throws JMSException {
        MetaQBytesMessage empty = new MetaQBytesMessage();
        assertThat(empty.getBody(String.class)).isNull();
        empty.writeByte((byte) 1);
        MetaQBytesMessage message = of(1, 2);
        message.readByte();
        assertThat(message.getBody(byte[].class)).containsExactly(1, 2);
        assertThat(message.readByte()).as("reset").isEqualTo((byte) 1);
        assertThat(message.getBody(Object.class)).isEqualTo(new byte[] {1, 2});
        assertThat(message.isBodyAssignableTo(byte[].class)).isTrue();
        assertThat(message.isBodyAssignableTo(String.class)).isFalse();
        assertThatThrownBy(() -> message.getBody(String.class)).isInstanceOf(MessageFormatException.class);
        assertThat(of().getBody(String.class)).isNull();
        assertThat(of().isBodyAssignableTo(String.class)).isTrue();
    }
}
