package io.metaq.tck.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

@Conformance
class BodyAccessTest {

    @Test
    @Covers(sections = "3.7", rules = 22)
    void shouldGiveBodiesByTheirTypes(Jms jms) throws JMSException {
        Session session = jms.session();
        TextMessage text = jms.through(session, session.createTextMessage("x"));
        MapMessage map = session.createMapMessage();
        map.setInt("a", 1);
        MapMessage mapBack = jms.through(session, map);
        BytesMessage bytes = session.createBytesMessage();
        bytes.writeByte((byte) 5);
        BytesMessage bytesBack = jms.through(session, bytes);
        var object = jms.through(session, session.createObjectMessage((Serializable) List.of("y")));

        assertThat(text.getBody(String.class)).isEqualTo("x");
        assertThat(text.getBody(CharSequence.class)).isEqualTo("x");
        assertThat(text.getBody(Object.class)).isEqualTo("x");
        assertThat((Map<?, ?>) mapBack.getBody(Map.class)).isEqualTo(Map.of("a", 1));
        assertThat(bytesBack.getBody(byte[].class)).containsExactly(5);
        assertThat(bytesBack.getBody(Object.class)).isInstanceOf(byte[].class);
        assertThat((Object) object.getBody(Serializable.class)).isEqualTo(List.of("y"));
        assertThat(text.isBodyAssignableTo(String.class)).isTrue();
        assertThat(text.isBodyAssignableTo(Map.class)).isFalse();
        assertThat(mapBack.isBodyAssignableTo(Map.class)).isTrue();
        assertThat(bytesBack.isBodyAssignableTo(byte[].class)).isTrue();
        assertThat(object.isBodyAssignableTo(List.class)).isTrue();
        assertThatThrownBy(() -> text.getBody(Map.class)).isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> mapBack.getBody(String.class)).isInstanceOf(MessageFormatException.class);
    }

    @Test
    @Covers(sections = "3.7", rules = 22)
    void shouldHaveNoBodyInPlainMessagesAndRefuseStreams(Jms jms) throws JMSException {
        Session session = jms.session();
        Message plain = jms.through(session, session.createMessage());
        StreamMessage stream = session.createStreamMessage();
        stream.writeInt(1);
        StreamMessage streamBack = jms.through(session, stream);
        TextMessage empty = jms.through(session, session.createTextMessage());

        assertThat(plain.getBody(String.class)).isNull();
        assertThat(plain.isBodyAssignableTo(Integer.class)).isTrue();
        assertThat(empty.getBody(Map.class)).isNull();
        assertThat(empty.isBodyAssignableTo(Map.class)).isTrue();
        assertThatThrownBy(() -> streamBack.getBody(Object.class)).isInstanceOf(MessageFormatException.class);
        assertThat(streamBack.isBodyAssignableTo(Object.class)).isFalse();
    }

    @Test
    @Covers(sections = "8.6", rules = 22)
    void shouldReceiveBodiesOfEachKind(Jms jms) throws JMSException {
        JMSContext context = jms.context();
        Queue queue = jms.queue();
        context.createProducer()
                .send(queue, "text")
                .send(queue, new byte[] {1})
                .send(queue, Map.of("a", 1))
                .send(queue, (Serializable) 42);
        JMSConsumer consumer = context.createConsumer(queue);

        assertThat(consumer.receiveBody(String.class, Jms.SOON)).isEqualTo("text");
        assertThat(consumer.receiveBody(byte[].class, Jms.SOON)).containsExactly(1);
        assertThat(consumer.receiveBody(Map.class, Jms.SOON)).isEqualTo(Map.of("a", 1));
        assertThat(consumer.receiveBody(Integer.class, Jms.SOON)).isEqualTo(42);
        assertThat(consumer.receiveBodyNoWait(String.class)).isNull();
        assertThat(consumer.receiveBody(String.class, 1)).isNull();
    }

    @Test
    @Covers(sections = "8.6", rules = 22)
    void shouldActAsIfNotCalledWhenTheTypeIsWrong(Jms jms) throws JMSException {
        JMSContext context = jms.context();
        Queue queue = jms.queue();
        jms.send(queue, "a", "b");
        JMSConsumer consumer = context.createConsumer(queue);
        assertThatThrownBy(() -> consumer.receiveBody(Map.class, Jms.SOON))
                .isInstanceOf(MessageFormatRuntimeException.class);
        assertThatThrownBy(() -> consumer.receiveBodyNoWait(byte[].class))
                .isInstanceOf(MessageFormatRuntimeException.class);
        Message message = consumer.receive(Jms.SOON);

        assertThat(message.getBody(String.class)).isEqualTo("a");
        assertThat(message.getJMSRedelivered()).isFalse();
        assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        assertThat(consumer.receiveBody(String.class, Jms.SOON)).isEqualTo("b");
        assertThat(consumer.receiveBodyNoWait(String.class)).isNull();
    }

    @Test
    @Covers(sections = "8.6", rules = 22)
    void shouldCountAsReceivedWhenTheTypeIsWrongInOtherModes(Jms jms) throws JMSException {
        for (int mode : new int[] {JMSContext.CLIENT_ACKNOWLEDGE, JMSContext.SESSION_TRANSACTED}) {
            JMSContext context = jms.context(mode);
            Queue queue = jms.queue();
            jms.send(queue, "a", "b");
            JMSConsumer consumer = context.createConsumer(queue);
            assertThatThrownBy(() -> consumer.receiveBody(Map.class, Jms.SOON))
                    .isInstanceOf(MessageFormatRuntimeException.class);
            assertThat(consumer.receiveBody(String.class, Jms.SOON)).isEqualTo("b");
            if (mode == JMSContext.SESSION_TRANSACTED) {
                context.rollback();
            } else {
                context.recover();
            }
            Message again = consumer.receive(Jms.SOON);
            assertThat(again.getBody(String.class)).isEqualTo("a");
            assertThat(again.getJMSRedelivered()).isTrue();
        }
    }

    @Test
    @Covers(sections = "8.6", rules = 22)
    void shouldRefuseBodiesOfMessagesWithout(Jms jms) throws JMSException {
        JMSContext context = jms.context();
        Queue queue = jms.queue();
        context.createProducer().send(queue, context.createMessage());
        StreamMessage stream = context.createStreamMessage();
        stream.writeInt(1);
        context.createProducer().send(queue, stream);
        JMSConsumer consumer = context.createConsumer(queue);

        assertThatThrownBy(() -> consumer.receiveBody(Object.class, Jms.SOON))
                .isInstanceOf(MessageFormatRuntimeException.class);
        assertThat(consumer.receive(Jms.SOON)).isNotNull();
        assertThatThrownBy(() -> consumer.receiveBody(Object.class, Jms.SOON))
                .isInstanceOf(MessageFormatRuntimeException.class);
        assertThat(consumer.receive(Jms.SOON)).isInstanceOf(StreamMessage.class);
    }
}
