package io.metaq.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.jms.destination.MetaQDestination;
import io.metaq.jms.destination.MetaQQueue;
import io.metaq.jms.destination.MetaQTopic;
import io.metaq.message.HeaderField;
import io.metaq.message.MessageFlags;
import io.metaq.message.PropertyBlock;
import io.metaq.message.PropertyBlockWriter;
import jakarta.jms.BytesMessage;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class MessageHeadersTest {
    private static final SendHeaders UNUSUAL =
            new SendHeaders(Transfer.QUEUE, DeliveryMode.NON_PERSISTENT, 9, 5000, 100, 20, "ID:x", "me");

    private static Message receive(MetaQMessage message, SendHeaders headers) throws JMSException {
        return Transfer.received(message, headers, 1, AllowedClasses.DEFAULT);
    }

    @Test
    void shouldHaveDefaultsBeforeItIsSent() throws JMSException {
        MetaQMessage message = new MetaQMessage();
        assertThat(message.getJMSPriority()).isEqualTo(4);
        assertThat(message.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
        assertThat(message.getJMSMessageID()).isNull();
        assertThat(message.getJMSTimestamp()).isZero();
        assertThat(message.getJMSExpiration()).isZero();
        assertThat(message.getJMSDeliveryTime()).isZero();
        assertThat(message.getJMSRedelivered()).isFalse();
        assertThat(message.getJMSDestination()).isNull();
        assertThat(message.getJMSReplyTo()).isNull();
        assertThat(message.getJMSCorrelationID()).isNull();
        assertThat(message.getJMSCorrelationIDAsBytes()).isNull();
        assertThat(message.getJMSType()).isNull();
        assertThatCode(message::acknowledge).doesNotThrowAnyException();
    }

    @Test
    void shouldSendWhatTheSendSaysAndNotWhatTheMessageSaid() throws JMSException {
        MetaQMessage message = new MetaQMessage();
        message.setJMSPriority(1);
        message.setJMSDeliveryMode(DeliveryMode.PERSISTENT);
        message.setJMSMessageID("ID:foo");
        message.setJMSTimestamp(1);
        message.setJMSExpiration(1);
        message.setJMSDeliveryTime(1);
        message.setJMSRedelivered(true);
        message.setJMSDestination(new MetaQQueue("other"));
        Message received = receive(message, UNUSUAL);
        for (Message seen : List.of(message, received)) {
            assertThat(seen.getJMSPriority()).isEqualTo(9);
            assertThat(seen.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
            assertThat(seen.getJMSMessageID()).isEqualTo("ID:x");
            assertThat(seen.getJMSTimestamp()).isEqualTo(5000);
            assertThat(seen.getJMSExpiration()).isEqualTo(5100);
            assertThat(seen.getJMSDeliveryTime()).isEqualTo(5020);
            assertThat(seen.getJMSDestination()).isEqualTo(Transfer.QUEUE);
        }
        assertThat(received.getJMSRedelivered()).isFalse();
    }

    @Test
    void shouldMarkOrdinaryMessagesAsOrdinary() throws JMSException {
        MetaQTextMessage message = new MetaQTextMessage();
        message.setText("x");
        assertThat(message.encode(Transfer.HEADERS).flag()).isEqualTo(MessageFlags.PROPERTIES);
        assertThat(message.getJMSDeliveryTime()).isEqualTo(1000);
        assertThat(receive(message, Transfer.HEADERS).getJMSDeliveryTime()).isEqualTo(1000);
        assertThat(message.encode(UNUSUAL).flag())
                .isEqualTo(MessageFlags.PROPERTIES | MessageFlags.SCHEDULED | MessageFlags.EXPIRES);
        PropertyBlock block = PropertyBlock.ofBody(
                MessageFlags.PROPERTIES, ByteBuffer.wrap(message.encode(UNUSUAL).body()));
        assertThat(block.header(HeaderField.ORIGIN)).isEqualTo("me");
    }

    @Test
    void shouldKeepWhatTheApplicationSets() throws JMSException {
        MetaQMessage message = new MetaQMessage();
        message.setJMSCorrelationID("corr");
        message.setJMSType("type");
        for (String uri : List.of("queue://a", "topic://b", "temp-queue://temp:c", "temp-topic://temp:d")) {
            message.setJMSReplyTo(MetaQDestination.parse(uri));
            Message received = receive(message, Transfer.HEADERS);
            assertThat(received.getJMSReplyTo()).isEqualTo(message.getJMSReplyTo());
            assertThat(received.getJMSReplyTo())
                    .isInstanceOf(message.getJMSReplyTo().getClass());
            assertThat(received.getJMSCorrelationID()).isEqualTo("corr");
            assertThat(received.getJMSCorrelationIDAsBytes()).isEqualTo("corr".getBytes());
            assertThat(received.getJMSType()).isEqualTo("type");
        }
        message.setJMSReplyTo(null);
        assertThat(receive(message, Transfer.HEADERS).getJMSReplyTo()).isNull();
    }

    @Test
    void shouldKeepCorrelationIdOfBytes() throws JMSException {
        MetaQMessage message = new MetaQMessage();
        byte[] id = {0, -1, 5};
        message.setJMSCorrelationIDAsBytes(id);
        id[0] = 9;
        assertThat(receive(message, Transfer.HEADERS).getJMSCorrelationIDAsBytes())
                .containsExactly(0, -1, 5);
        message.setJMSCorrelationIDAsBytes("text".getBytes());
        assertThat(receive(message, Transfer.HEADERS).getJMSCorrelationID()).isEqualTo("text");
    }

    @Test
    void shouldSendToAnswerToOtherProvidersDestinations() throws JMSException {
        MetaQMessage message = new MetaQMessage();
        message.setJMSReplyTo((Queue) () -> "foreign");
        assertThat(receive(message, Transfer.HEADERS).getJMSReplyTo()).isEqualTo(new MetaQQueue("foreign"));
        message.setJMSReplyTo(new Destination() {});
        assertThat(receive(message, Transfer.HEADERS).getJMSReplyTo()).isNull();
        message.setJMSReplyTo((Queue) () -> null);
        assertThat(receive(message, Transfer.HEADERS).getJMSReplyTo()).isNull();
    }

    @Test
    void shouldForwardReceivedMessageWithAllItHad() throws JMSException {
        MetaQTextMessage message = new MetaQTextMessage();
        message.setText("text");
        message.setJMSCorrelationID("c");
        message.setJMSType("t");
        message.setIntProperty("p", 1);
        Message received = receive(message, UNUSUAL);
        MetaQTextMessage again = (MetaQTextMessage) receive((MetaQTextMessage) received, Transfer.HEADERS);
        assertThat(again.getText()).isEqualTo("text");
        assertThat(again.getJMSCorrelationID()).isEqualTo("c");
        assertThat(again.getJMSType()).isEqualTo("t");
        assertThat(again.getIntProperty("p")).isEqualTo(1);
        assertThat(again.getJMSPriority()).isEqualTo(4);
        assertThat(again.getJMSExpiration()).isZero();
    }

    @Test
    void shouldExpireAtItsTime() throws JMSException {
        MetaQMessage sent = new MetaQMessage();
        MetaQMessage received = (MetaQMessage) receive(sent, UNUSUAL);
        for (MetaQMessage message : List.of(sent, received)) {
            assertThat(message.isExpired(5099)).isFalse();
            assertThat(message.isExpired(5100)).isTrue();
        }
        assertThat(((MetaQMessage) receive(sent, Transfer.HEADERS)).isExpired(Long.MAX_VALUE))
                .isFalse();
        SendHeaders endless = new SendHeaders(Transfer.QUEUE, 2, 4, 5000, Long.MAX_VALUE, 0, null, null);
        assertThat(endless.expiration()).isEqualTo(Long.MAX_VALUE);
        assertThat(receive(sent, endless).getJMSMessageID()).isEqualTo("ID:99");
    }

    @Test
    void shouldAcknowledgeThroughItsSession() throws JMSException {
        MetaQMessage message = (MetaQMessage) receive(new MetaQMessage(), Transfer.HEADERS);
        message.acknowledger(m -> {
            assertThat(m).isSameAs(message);
            throw new IllegalStateException("closed");
        });
        assertThatThrownBy(message::acknowledge).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldShowMessagesOfOtherClientsAsBytes() throws JMSException {
        MessageDecoder decoder = new MessageDecoder(AllowedClasses.DEFAULT);
        MetaQTopic topic = new MetaQTopic("t");
        byte[] attributed = {0, 0, 0, 1, 'x', 1, 2, 3};
        BytesMessage plain =
                (BytesMessage) decoder.decode(topic, 7, MessageFlags.ATTRIBUTE, ByteBuffer.wrap(attributed), 1);
        assertThat(plain.getBodyLength()).isEqualTo(3);
        assertThat(plain.readByte()).isEqualTo((byte) 1);
        assertThat(plain.getJMSMessageID()).isEqualTo("ID:7");
        assertThat(plain.getJMSDestination()).isEqualTo(topic);
        assertThat(plain.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        byte[] damaged = {0, 0, 0, 3, 8, 1, 'a', 5};
        BytesMessage shown =
                (BytesMessage) decoder.decode(topic, 8, MessageFlags.PROPERTIES, ByteBuffer.wrap(damaged), 1);
        assertThat(shown.getBody(byte[].class)).isEqualTo(damaged);
        byte[] nowhere = new PropertyBlockWriter()
                .header(HeaderField.REPLY_TO, "mailto:me")
                .join(ByteBuffer.allocate(0));
        assertThat(decoder.decode(topic, 9, MessageFlags.PROPERTIES, ByteBuffer.wrap(nowhere), 1)
                        .getJMSReplyTo())
                .isNull();
    }
}
