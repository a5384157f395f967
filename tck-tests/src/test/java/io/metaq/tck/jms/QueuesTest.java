package io.metaq.tck.jms;

import static io.metaq.tck.jms.Jms.next;
import static io.metaq.tck.jms.Jms.text;
import static io.metaq.tck.jms.Jms.texts;
import static io.metaq.tck.jms.Jms.unexpected;
import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

@Conformance
class QueuesTest {

    @Test
    @Covers(
            sections = {"4.1.2", "6.1.4"},
            rules = 1)
    void shouldNotLeaveMessagesWithAConsumerOfAStoppedConnection(Jms jms) throws JMSException {
        Queue queue = jms.queue();
        jms.connect().createSession().createConsumer(queue);
        jms.send(queue, "a", "b", "c");
        jms.connect().createSession().createConsumer(queue);

        assertThat(texts(jms.session().createConsumer(queue), 3)).containsExactly("a", "b", "c");
    }

    @Test
    @Covers(sections = "6.1.5", rules = 1)
    void shouldGiveBackWhatWaitsWhenAConnectionStops(Jms jms) throws JMSException {
        Queue queue = jms.queue();
        jms.send(queue, "a", "b", "c");
        Connection connection = jms.started();
        MessageConsumer first = connection.createSession().createConsumer(queue);
        assertThat(text(first)).isEqualTo("a");
        connection.stop();

        MessageConsumer second = jms.session().createConsumer(queue);
        Message message = next(second);
        assertThat(message.getBody(String.class)).isEqualTo("b");
        assertThat(message.getJMSRedelivered()).isFalse();
        assertThat(text(second)).isEqualTo("c");
    }

    @Test
    @Covers(sections = "8.5", rules = 1)
    void shouldNotKeepMessagesFromOthersThatAReceiverDidNotAskFor(Jms jms) throws JMSException {
        Queue queue = jms.queue();
        MessageConsumer idle = jms.session().createConsumer(queue);
        assertThat(idle.receiveNoWait()).isNull();
        jms.send(queue, "a", "b");

        assertThat(texts(jms.session().createConsumer(queue), 2)).containsExactly("a", "b");
    }

    @Test
    @Covers(
            sections = {"4.1.2", "8.2"},
            rules = 2)
    void shouldGiveEachMessageToOneOfSeveralConsumers(Jms jms) throws Exception {
        Queue queue = jms.queue();
        List<String> got = new ArrayList<>();
        List<MessageConsumer> consumers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            MessageConsumer consumer = jms.session().createConsumer(queue);
            consumer.setMessageListener(message -> {
                synchronized (got) {
                    got.add(textOf(message));
                    got.notifyAll();
                }
            });
            consumers.add(consumer);
        }
        String[] sent = new String[200];
        for (int i = 0; i < sent.length; i++) {
            sent[i] = "m" + i;
        }
        jms.send(queue, sent);
        synchronized (got) {
            while (got.size() < sent.length) {
                got.wait(Jms.SOON);
            }
        }
        assertThat(got).containsExactlyInAnyOrder(sent);
    }

    private static String textOf(Message message) {
        try {
            return message.getBody(String.class);
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @Covers(sections = "6.2.10", rules = 2)
    void shouldAcknowledgeOutOfOrderAndReturnSingleMessagesBeforeLaterOnes(Jms jms) throws JMSException {
        Queue queue = jms.queue();
        jms.send(queue, "a", "b", "c", "d");
        Session first = jms.session(Session.CLIENT_ACKNOWLEDGE);
        Session second = jms.session(Session.CLIENT_ACKNOWLEDGE);
        assertThat(text(first.createConsumer(queue))).isEqualTo("a");
        MessageConsumer later = second.createConsumer(queue);
        Message b = next(later);
        assertThat(b.getBody(String.class)).isEqualTo("b");
        b.acknowledge();
        first.close();

        assertThat(texts(later, 3)).containsExactly("a", "c", "d");
    }

    @Test
    @Covers(sections = "8.5", rules = 30)
    void shouldAskTheBrokerWithoutWaiting(Jms jms) throws JMSException {
        Queue queue = jms.queue();
        MessageConsumer consumer = jms.session().createConsumer(queue);
        assertThat(consumer.receiveNoWait()).isNull();
        jms.send(queue, "a", "b");

        assertThat(consumer.receiveNoWait().getBody(String.class)).isEqualTo("a");
        assertThat(consumer.receiveNoWait().getBody(String.class)).isEqualTo("b");
        assertThat(consumer.receiveNoWait()).isNull();
    }

    @Test
    @Covers(sections = "8.5", rules = 30)
    void shouldWaitForeverForZeroAndReturnNullAfterTheTime(Jms jms) throws Exception {
        Queue queue = jms.queue();
        MessageConsumer consumer = jms.session().createConsumer(queue);
        long start = System.nanoTime();
        assertThat(consumer.receive(200)).isNull();
        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)).isBetween(190L, 5_000L);

        CompletableFuture<String> waiting = CompletableFuture.supplyAsync(() -> {
            try {
                return textOf(consumer.receive(0));
            } catch (JMSException e) {
                throw new IllegalStateException(e);
            }
        });
        jms.send(queue, "late");
        assertThat(waiting.get(10, TimeUnit.SECONDS)).isEqualTo("late");
    }

    @Test
    @Covers(
            sections = {"4.1.8", "4.1.4"},
            rules = 34)
    void shouldKeepMessagesForConsumersThatComeLater(Jms jms) throws JMSException {
        String name = jms.name();
        Session session = jms.session();
        jms.send(session.createQueue(name), "a");

        assertThat(session.createQueue(name).getQueueName()).isEqualTo(name);
        assertThat(text(session.createConsumer(session.createQueue(name)))).isEqualTo("a");
    }

    @Test
    @Covers(sections = "6.2.11", rules = 2)
    void shouldNeverBringAnAcknowledgedMessageAgain(Jms jms) throws JMSException {
        Queue queue = jms.queue();
        jms.send(queue, "a", "b");
        Session session = jms.session();
        assertThat(text(session.createConsumer(queue))).isEqualTo("a");
        session.close();

        MessageConsumer consumer = jms.session().createConsumer(queue);
        assertThat(text(consumer)).isEqualTo("b");
        assertThat(unexpected(consumer)).isNull();
    }

    @Test
    @Covers(sections = {"6.2.1", "8.1", "7.1"})
    void shouldServeSeveralProducersAndConsumersOfOneSession(Jms jms) throws JMSException {
        Session session = jms.session();
        Queue one = jms.queue();
        Queue two = jms.queue();
        MessageConsumer ofOne = session.createConsumer(one);
        MessageConsumer ofTwo = session.createConsumer(two);
        Jms.send(session, one, "1");
        Jms.send(session, two, "2");

        assertThat(text(ofTwo)).isEqualTo("2");
        assertThat(text(ofOne)).isEqualTo("1");
    }

    @Test
    @Covers(sections = "9.1")
    void shouldKeepLargeAndManyMessagesWhole(Jms jms) throws JMSException {
        Session session = jms.session();
        Queue queue = jms.queue();
        String big = "x".repeat(900_000);
        Jms.send(session, queue, big, "small", big);

        assertThat(texts(session.createConsumer(queue), 3)).containsExactly(big, "small", big);
    }
}
