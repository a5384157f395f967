package io.metaq.tck.jms;

import static io.metaq.tck.jms.Jms.next;
import static io.metaq.tck.jms.Jms.text;
import static io.metaq.tck.jms.Jms.texts;
import static io.metaq.tck.jms.Jms.unexpected;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

@Conformance
class TransactionsTest {

    @Test
    @Covers(sections = "6.2.7", rules = 28)
    void shouldSendAllAtCommitAndNothingBefore(Jms jms) throws JMSException {
        Queue queue = jms.queue();
        Topic topic = jms.topic();
        MessageConsumer ofQueue = jms.session().createConsumer(queue);
        MessageConsumer ofTopic = jms.session().createConsumer(topic);
        Session session = jms.session(Session.SESSION_TRANSACTED);
        Jms.send(session, queue, "a", "b");
        Jms.send(session, topic, "t");
        assertThat(unexpected(ofQueue)).isNull();
        session.commit();

        assertThat(texts(ofQueue, 2)).containsExactly("a", "b");
        assertThat(text(ofTopic)).isEqualTo("t");
        Jms.send(session, queue, "gone");
        session.rollback();
        assertThat(unexpected(ofQueue)).isNull();
    }

    @Test
    @Covers(
            sections = "6.2.7",
            rules = {12, 28})
    void shouldBringMessagesBackInOrderAfterARollback(Jms jms) throws JMSException {
        Queue queue = jms.queue();
        jms.send(queue, "a", "b", "c");
        Session session = jms.session(Session.SESSION_TRANSACTED);
        MessageConsumer consumer = session.createConsumer(queue);
        assertThat(texts(consumer, 2)).containsExactly("a", "b");
        session.rollback();
        Message again = next(consumer);
        assertThat(again.getBody(String.class)).isEqualTo("a");
        assertThat(again.getJMSRedelivered()).isTrue();
        assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
        assertThat(texts(consumer, 2)).containsExactly("b", "c");
        session.commit();

        assertThat(unexpected(consumer)).isNull();
        session.close();
        assertThat(unexpected(jms.session().createConsumer(queue))).isNull();
    }

    @Test
    @Covers(
            sections = {"6.2.7", "8.8"},
            rules = 28)
    void shouldCommitAndRollBackWhatAClosedConsumerGot(Jms jms) throws JMSException {
        Queue queue = jms.queue();
        jms.send(queue, "a", "b");
        Session session = jms.session(Session.SESSION_TRANSACTED);
        MessageConsumer consumer = session.createConsumer(queue);
        assertThat(text(consumer)).isEqualTo("a");
        consumer.close();
        session.rollback();
        MessageConsumer second = session.createConsumer(queue);
        assertThat(text(second)).isEqualTo("a");
        second.close();
        session.commit();

        assertThat(text(jms.session().createConsumer(queue))).isEqualTo("b");
    }

    @Test
    @Covers(
            sections = {"6.2.15", "6.1.8"},
            rules = 28)
    void shouldRollBackAtClose(Jms jms) throws JMSException {
        Queue in = jms.queue();
        Queue out = jms.queue();
        jms.send(in, "a");
        Connection connection = jms.started();
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        assertThat(text(session.createConsumer(in))).isEqualTo("a");
        Jms.send(session, out, "never");
        connection.close();
        Message again = next(jms.session().createConsumer(in));

        assertThat(again.getJMSRedelivered()).isTrue();
        assertThat(unexpected(jms.session().createConsumer(out))).isNull();
    }

    @Test
    @Covers(sections = "6.2.7", rules = 28)
    void shouldCommitManyTimesAndInsideAListener(Jms jms) throws Exception {
        Queue in = jms.queue();
        Queue out = jms.queue();
        Session session = jms.session(Session.SESSION_TRANSACTED);
        CompletableFuture<Void> failed = new CompletableFuture<>();
        session.createConsumer(in).setMessageListener(message -> {
            try {
                Jms.send(session, out, message.getBody(String.class));
                session.commit();
            } catch (JMSException e) {
                failed.completeExceptionally(e);
            }
        });
        jms.send(in, "a", "b", "c");

        assertThat(texts(jms.session().createConsumer(out), 3)).containsExactly("a", "b", "c");
        assertThat(failed).isNotDone();
        session.close();
        assertThat(unexpected(jms.session().createConsumer(in))).isNull();
    }

    @Test
    @Covers(sections = "6.2.7")
    void shouldReturnOneMessageToOthersWhileSendingIsUnderWay(Jms jms) throws Exception {
        Queue queue = jms.queue();
        Session session = jms.session(Session.SESSION_TRANSACTED);
        CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> {
            try {
                for (int i = 0; i < 50; i++) {
                    Jms.send(session, queue, "m" + i);
                    session.commit();
                }
            } catch (JMSException e) {
                throw new AssertionError(e);
            }
        });
        MessageConsumer consumer = jms.session().createConsumer(queue);
        for (int i = 0; i < 50; i++) {
            assertThat(text(consumer)).isEqualTo("m" + i);
        }
        sending.get(10, TimeUnit.SECONDS);
    }

    @Test
    @Covers(sections = {"10.3", "6.2.7"})
    void shouldRefuseCommitAndRollbackOfOtherSessions(Jms jms) throws JMSException {
        Session session = jms.session();

        assertThatThrownBy(session::commit).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(session::rollback).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> jms.context().commit()).isInstanceOf(IllegalStateRuntimeException.class);
    }

    @Test
    @Covers(sections = "7.8", rules = 14)
    void shouldCountTheTimeToLiveFromTheSendAndNotFromTheCommit(Jms jms) throws JMSException {
        Queue queue = jms.queue();
        Session session = jms.session(Session.SESSION_TRANSACTED);
        Message message = session.createTextMessage("short");
        session.createProducer(queue).send(message, 2, 4, 100);
        assertThat(message.getJMSExpiration()).isPositive();
        org.awaitility.Awaitility.await().until(() -> System.currentTimeMillis() > message.getJMSExpiration());
        session.commit();

        assertThat(unexpected(jms.session().createConsumer(queue))).isNull();
    }
}
