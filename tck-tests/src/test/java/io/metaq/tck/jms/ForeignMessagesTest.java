package io.metaq.tck.jms;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.BytesMessage;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Messages and destinations that are implemented by somebody else. */
@Conformance
class ForeignMessagesTest {

    /** An object that has one of the interfaces and none of our classes. */
    private static <T> T foreign(Class<T> type, Object behind) {
        return type.cast(Proxy.newProxyInstance(
                ForeignMessagesTest.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    try {
                        return method.invoke(behind, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private static <M extends Message> M sendAndReceive(Jms jms, Class<M> type, M behind) throws JMSException {
        Session session = jms.session();
        Queue queue = jms.queue();
        behind.setIntProperty("number", 7);
        behind.setJMSType("t");
        behind.setJMSCorrelationID("c");
        M foreign = foreign(type, behind);
        session.createProducer(queue).send(foreign, DeliveryMode.NON_PERSISTENT, 6, 60_000);
        MessageConsumer consumer = session.createConsumer(queue);
        M received = type.cast(Jms.next(consumer));

        assertThat(foreign.getJMSMessageID()).startsWith("ID:").isEqualTo(received.getJMSMessageID());
        assertThat(foreign.getJMSDestination()).isEqualTo(queue);
        assertThat(foreign.getJMSPriority()).isEqualTo(6);
        assertThat(foreign.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
        assertThat(foreign.getJMSTimestamp()).isEqualTo(received.getJMSTimestamp());
        assertThat(foreign.getJMSExpiration()).isEqualTo(received.getJMSExpiration());
        assertThat(received.getIntProperty("number")).isEqualTo(7);
        assertThat(received.getJMSType()).isEqualTo("t");
        assertThat(received.getJMSCorrelationID()).isEqualTo("c");
        assertThat(Proxy.isProxyClass(received.getClass())).isFalse();
        return received;
    }

    @Test
    @Covers(sections = "3.12", rules = 17)
    void shouldTakeTexts(Jms jms) throws JMSException {
        TextMessage text = jms.session().createTextMessage("größer");

        assertThat(sendAndReceive(jms, TextMessage.class, text).getText()).isEqualTo("größer");
    }

    @Test
    @Covers(sections = "3.12", rules = 17)
    void shouldTakeBytesThatWereNotReset(Jms jms) throws JMSException {
        BytesMessage bytes = jms.session().createBytesMessage();
        bytes.writeInt(5);

        assertThat(sendAndReceive(jms, BytesMessage.class, bytes).readInt()).isEqualTo(5);
    }

    @Test
    @Covers(sections = "3.12", rules = 17)
    void shouldTakeStreamsThatWereNotReset(Jms jms) throws JMSException {
        StreamMessage stream = jms.session().createStreamMessage();
        stream.writeInt(5);
        stream.writeBytes(new byte[] {1, 2});
        StreamMessage received = sendAndReceive(jms, StreamMessage.class, stream);

        assertThat(received.readInt()).isEqualTo(5);
        assertThat(received.readObject()).isEqualTo(new byte[] {1, 2});
    }

    @Test
    @Covers(sections = "3.12", rules = 17)
    void shouldTakeMapsObjectsAndPlainMessages(Jms jms) throws JMSException {
        MapMessage map = jms.session().createMapMessage();
        map.setChar("c", 'x');
        ObjectMessage object = jms.session().createObjectMessage("serial");

        assertThat(sendAndReceive(jms, MapMessage.class, map).getChar("c")).isEqualTo('x');
        assertThat(sendAndReceive(jms, ObjectMessage.class, object).getObject()).isEqualTo("serial");
        sendAndReceive(jms, Message.class, jms.session().createMessage());
    }

    @Test
    @Covers(
            sections = "3.12",
            rules = {17, 18})
    void shouldTakeDestinationsOfOthers(Jms jms) throws JMSException {
        Session session = jms.session();
        Queue ours = jms.queue();
        Queue theirs = foreign(Queue.class, ours);
        TextMessage text = session.createTextMessage("x");
        text.setJMSReplyTo(theirs);
        text.setJMSDestination(foreign(Queue.class, session.createQueue("elsewhere")));
        session.createProducer(theirs).send(text);
        Destination replyTo = Jms.next(session.createConsumer(ours)).getJMSReplyTo();

        assertThat(replyTo).isEqualTo(ours);
    }

    @Test
    @Covers(
            sections = "3.12",
            rules = {17, 24})
    void shouldTakeThemAsynchronouslyToo(Jms jms) throws Exception {
        Session session = jms.session();
        Queue queue = jms.queue();
        TextMessage foreign = foreign(TextMessage.class, session.createTextMessage("x"));
        CompletableFuture<Message> completed = new CompletableFuture<>();
        session.createProducer(queue).send(foreign, new Completion(completed));

        assertThat(completed.get(10, TimeUnit.SECONDS)).isSameAs(foreign);
        assertThat(foreign.getJMSMessageID()).startsWith("ID:");
        assertThat(Jms.text(session.createConsumer(queue))).isEqualTo("x");
    }
}
