package io.metaq.jms.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.jms.destination.MetaQTopic;
import jakarta.jms.BytesMessage;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import org.junit.jupiter.api.Test;

class MessageCopyTest {
    /** The message as another provider's: of its interface, and of no class that we know. */
    private static <M extends Message> M foreign(Class<M> type, M behind) {
        return type.cast(Proxy.newProxyInstance(
                MessageCopyTest.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    try {
                        return method.invoke(behind, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private static <M extends Message> M sent(Class<M> type, M behind) throws JMSException {
        behind.setIntProperty("p", 5);
        behind.setStringProperty("JMSXGroupID", "g");
        behind.setIntProperty("JMSXDeliveryCount", 8);
        behind.setStringProperty("JMS_Other_x", "x");
        behind.setJMSCorrelationID("corr");
        behind.setJMSType("type");
        behind.setJMSReplyTo(new MetaQTopic("answers"));
        M foreign = foreign(type, behind);
        MetaQMessage copy = MessageCopy.of(foreign);
        MetaQMessage received = Transfer.received(copy);
        assertThat(received).isInstanceOf(type);
        assertThat(received.getIntProperty("p")).isEqualTo(5);
        assertThat(received.getStringProperty("JMSXGroupID")).isEqualTo("g");
        assertThat(received.getStringProperty("JMS_Other_x")).isEqualTo("x");
        assertThat(received.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        assertThat(received.getJMSCorrelationID()).isEqualTo("corr");
        assertThat(received.getJMSType()).isEqualTo("type");
        assertThat(received.getJMSReplyTo()).isEqualTo(new MetaQTopic("answers"));
        return type.cast(received);
    }

    @Test
    void shouldNotCopyOurOwn() throws JMSException {
        MetaQMessage ours = new MetaQMessage();
        assertThat(MessageCopy.of(ours)).isSameAs(ours);
    }

    @Test
    void shouldCopyEveryKind() throws JMSException {
        sent(Message.class, new MetaQMessage());
        MetaQTextMessage text = new MetaQTextMessage();
        text.setText("text");
        assertThat(sent(TextMessage.class, text).getText()).isEqualTo("text");
        MetaQObjectMessage object = new MetaQObjectMessage();
        object.setObject("object");
        assertThat(sent(ObjectMessage.class, object).getObject()).isEqualTo("object");
        MetaQMapMessage map = new MetaQMapMessage();
        map.setChar("c", 'c');
        map.setBytes("b", new byte[] {1});
        MapMessage mapCopy = sent(MapMessage.class, map);
        assertThat(mapCopy.getChar("c")).isEqualTo('c');
        assertThat(mapCopy.getBytes("b")).containsExactly(1);
    }

    @Test
    void shouldCopyBytesAndStreamsWholeWhereverTheyStand() throws JMSException {
        MetaQBytesMessage bytes = new MetaQBytesMessage();
        bytes.writeBytes(new byte[20_000]);
        bytes.writeByte((byte) 9);
        bytes.reset();
        bytes.readLong();
        BytesMessage bytesCopy = sent(BytesMessage.class, bytes);
        assertThat(bytesCopy.getBodyLength()).isEqualTo(20_001);
        assertThat(bytesCopy.getBody(byte[].class)[20_000]).isEqualTo((byte) 9);
        MetaQStreamMessage stream = new MetaQStreamMessage();
        for (Object value : List.of(true, 'c', 5L, "x", new byte[] {1})) {
            stream.writeObject(value);
        }
        stream.writeObject(null);
        stream.reset();
        stream.readBoolean();
        StreamMessage streamCopy = sent(StreamMessage.class, stream);
        for (Object value : List.of(true, 'c', 5L, "x", new byte[] {1})) {
            assertThat(streamCopy.readObject()).isEqualTo(value);
        }
        assertThat(streamCopy.readObject()).isNull();
        assertThat(stream.readBoolean()).as("reset").isTrue();
    }

    @Test
    void shouldSetTheHeadersOfTheSendOnTheForeignMessage() throws JMSException {
        MetaQMessage behind = new MetaQMessage();
        Message foreign = foreign(Message.class, behind);
        foreign.setJMSReplyTo(new Destination() {});
        MetaQMessage copy = MessageCopy.of(foreign);
        copy.encode(Transfer.HEADERS);
        Transfer.HEADERS.setOn(foreign);
        assertThat(copy.getJMSReplyTo()).isNull();
        assertThat(foreign.getJMSMessageID()).isEqualTo("ID:test-1");
        assertThat(foreign.getJMSTimestamp()).isEqualTo(1000);
        assertThat(foreign.getJMSDestination()).isEqualTo(Transfer.QUEUE);
        assertThat(behind.getJMSPriority()).isEqualTo(4);
    }
}
