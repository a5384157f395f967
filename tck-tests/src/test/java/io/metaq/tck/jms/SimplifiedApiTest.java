package io.metaq.tck.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.DeliveryMode;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.Queue;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

@Conformance
class SimplifiedApiTest {

    @Test
    @Covers(
            sections = {"6.1.4", "8.4"},
            rules = 31)
    void shouldStartWithItsFirstConsumerUnlessToldNotTo(Jms jms) throws JMSException {
        Queue queue = jms.queue();
        jms.send(queue, "a", "b");
        assertThat(jms.context().createConsumer(queue).receiveBody(String.class, Jms.SOON))
                .isEqualTo("a");

        JMSContext manual = jms.context();
        assertThat(manual.getAutoStart()).isTrue();
        manual.setAutoStart(false);
        JMSConsumer consumer = manual.createConsumer(queue);
        assertThat(consumer.receive(Jms.NEVER)).isNull();
        manual.start();
        assertThat(consumer.receiveBody(String.class, Jms.SOON)).isEqualTo("b");
    }

    @Test
    @Covers(
            sections = {"6.1.8", "6.2.6"},
            rules = 31)
    void shouldShareAConnectionUntilTheLastContextIsClosed(Jms jms) throws JMSException {
        String id = jms.name();
        JMSContext first = jms.context();
        first.setClientID(id);
        JMSContext second = jms.closing(first.createContext(JMSContext.CLIENT_ACKNOWLEDGE));
        assertThat(second.getClientID()).isEqualTo(id);
        assertThat(second.getSessionMode()).isEqualTo(JMSContext.CLIENT_ACKNOWLEDGE);
        first.close();
        Queue queue = jms.queue();
        second.createProducer().send(queue, "x");
        assertThat(second.createConsumer(queue).receiveBody(String.class, Jms.SOON))
                .isEqualTo("x");
        assertThatThrownBy(() -> jms.context().setClientID(id)).isInstanceOf(JMSRuntimeException.class);
        second.close();

        jms.context().setClientID(id);
    }

    @Test
    @Covers(
            sections = {"7.2", "7.5", "7.6", "7.10"},
            rules = 16)
    void shouldSendWithHeadersAndPropertiesOfTheProducer(Jms jms) throws JMSException {
        JMSContext context = jms.context();
        Queue queue = jms.queue();
        Topic replyTo = jms.topic();
        TextMessage message = context.createTextMessage("x");
        message.setIntProperty("n", 1);
        message.setStringProperty("kept", "yes");
        message.setJMSType("of the message");
        JMSProducer producer = context.createProducer()
                .setProperty("n", 2)
                .setProperty("s", "t")
                .setJMSType("of the producer")
                .setJMSCorrelationID("c")
                .setJMSReplyTo(replyTo)
                .setPriority(8)
                .setTimeToLive(60_000)
                .setDeliveryMode(DeliveryMode.NON_PERSISTENT)
                .setDisableMessageID(false)
                .setDisableMessageTimestamp(false)
                .send(queue, message);
        Message received = context.createConsumer(queue).receive(Jms.SOON);

        assertThat(received.getIntProperty("n")).isEqualTo(2);
        assertThat(received.getStringProperty("s")).isEqualTo("t");
        assertThat(received.getStringProperty("kept")).isEqualTo("yes");
        assertThat(received.getJMSType()).isEqualTo("of the producer");
        assertThat(received.getJMSCorrelationID()).isEqualTo("c");
        assertThat(received.getJMSReplyTo()).isEqualTo(replyTo);
        assertThat(received.getJMSPriority()).isEqualTo(8);
        assertThat(received.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
        assertThat(producer.getIntProperty("n")).isEqualTo(2);
        assertThat(producer.getPropertyNames()).isEqualTo(Set.of("n", "s"));
        assertThat(producer.propertyExists("s")).isTrue();
        assertThat(producer.clearProperties().propertyExists("s")).isFalse();
        assertThat(producer.getPriority()).isEqualTo(8);
        assertThat(producer.getJMSReplyTo()).isEqualTo(replyTo);
    }

    @Test
    @Covers(sections = "7.5", rules = 19)
    void shouldConvertPropertiesOfTheProducer(Jms jms) {
        JMSProducer producer =
                jms.context().createProducer().setProperty("text", "7").setProperty("flag", true);

        assertThat(producer.getIntProperty("text")).isEqualTo(7);
        assertThat(producer.getObjectProperty("flag")).isEqualTo(true);
        assertThatThrownBy(() -> producer.getIntProperty("flag")).isInstanceOf(MessageFormatRuntimeException.class);
        assertThatThrownBy(() -> producer.setProperty("", 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> producer.setProperty("object", new Object()))
                .isInstanceOf(MessageFormatRuntimeException.class);
    }

    @Test
    @Covers(sections = "7.2")
    void shouldSendBodiesOfEachKindAndNone(Jms jms) throws JMSException {
        JMSContext context = jms.context();
        Queue queue = jms.queue();
        context.createProducer()
                .send(queue, (String) null)
                .send(queue, (byte[]) null)
                .send(queue, (Map<String, Object>) null)
                .send(queue, (java.io.Serializable) null);
        JMSConsumer consumer = context.createConsumer(queue);
        for (int i = 0; i < 4; i++) {
            assertThat(consumer.receive(Jms.SOON)).isNotNull();
        }
        assertThatThrownBy(() -> context.createProducer().send(queue, (Message) null))
                .isInstanceOf(MessageFormatRuntimeException.class);
        assertThatThrownBy(() -> context.createProducer().send(null, "x"))
                .isInstanceOf(InvalidDestinationRuntimeException.class);
    }

    @Test
    @Covers(sections = "7.3.1", rules = 24)
    void shouldSendAsynchronously(Jms jms) throws Exception {
        JMSContext context = jms.context();
        Queue queue = jms.queue();
        CompletableFuture<Message> completed = new CompletableFuture<>();
        Completion listener = new Completion(completed);
        JMSProducer producer = context.createProducer().setAsync(listener);
        assertThat(producer.getAsync()).isSameAs(listener);
        producer.send(queue, "x");

        assertThat(completed.get(10, TimeUnit.SECONDS).getBody(String.class)).isEqualTo("x");
        assertThat(producer.setAsync(null).getAsync()).isNull();
    }

    @Test
    @Covers(
            sections = "6.2.10",
            rules = {29, 31})
    void shouldAcknowledgeAndRecoverByTheContext(Jms jms) throws JMSException {
        Queue queue = jms.queue();
        jms.send(queue, "a", "b");
        JMSContext context = jms.context(JMSContext.CLIENT_ACKNOWLEDGE);
        JMSConsumer consumer = context.createConsumer(queue);
        assertThat(consumer.receiveBody(String.class, Jms.SOON)).isEqualTo("a");
        context.acknowledge();
        assertThat(consumer.receiveBody(String.class, Jms.SOON)).isEqualTo("b");
        context.recover();

        Message again = consumer.receive(Jms.SOON);
        assertThat(again.getBody(String.class)).isEqualTo("b");
        assertThat(again.getJMSRedelivered()).isTrue();
    }

    @Test
    @Covers(
            sections = {"8.3.1", "8.3.2", "8.3.3", "8.3.4"},
            rules = {7, 8})
    void shouldSubscribeInEachWay(Jms jms) throws JMSException {
        JMSContext context = jms.context();
        context.setClientID(jms.name());
        Topic topic = jms.topic();
        JMSConsumer[] consumers = {
            context.createConsumer(topic),
            context.createConsumer(topic, "n IS NULL", false),
            context.createSharedConsumer(topic, "s"),
            context.createDurableConsumer(topic, "d"),
            context.createSharedDurableConsumer(topic, "sd")
        };
        jms.send(topic, "x");
        for (JMSConsumer consumer : consumers) {
            assertThat(consumer.receiveBody(String.class, Jms.SOON)).isEqualTo("x");
            consumer.close();
        }
        context.unsubscribe("d");
        context.unsubscribe("sd");
        assertThatThrownBy(() -> context.unsubscribe("d")).isInstanceOf(InvalidDestinationRuntimeException.class);
        assertThatThrownBy(() -> jms.context().createDurableConsumer(topic, "d"))
                .isInstanceOf(IllegalStateRuntimeException.class);
    }

    @Test
    @Covers(sections = "10.2")
    void shouldThrowUncheckedExceptionsWithCodeAndCause(Jms jms) {
        JMSContext context = jms.context();

        assertThatThrownBy(() -> context.createConsumer(jms.queue(), "="))
                .isInstanceOf(jakarta.jms.InvalidSelectorRuntimeException.class)
                .satisfies(e -> assertThat(e.getMessage()).isNotBlank());
        assertThatThrownBy(() -> jms.factory().createContext(77)).isInstanceOf(JMSRuntimeException.class);
    }
}
