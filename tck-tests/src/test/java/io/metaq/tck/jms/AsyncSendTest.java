package io.metaq.tck.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

@Conformance
class AsyncSendTest {

    /** What a callback answers when it calls something that it must not. */
    private static CompletionListener calling(Callable<?> call, CompletableFuture<Throwable> thrown) {
        return new CompletionListener() {
            @Override
            public void onCompletion(Message message) {
                try {
                    call.call();
                    thrown.complete(new AssertionError("nothing was thrown"));
                } catch (Exception e) {
                    thrown.complete(e);
                }
            }

            @Override
            public void onException(Message message, Exception exception) {
                thrown.complete(exception);
            }
        };
    }

    private static Callable<?> call(Action action) {
        return () -> {
            action.run();
            return null;
        };
    }

    @FunctionalInterface
    private interface Action {
        void run() throws Exception;
    }

    @Test
    @Covers(
            sections = {"7.3.1", "7.3.6", "7.3.9"},
            rules = {16, 24})
    void shouldCompleteWhenTheMessageIsSafeWithItsHeadersSet(Jms jms) throws Exception {
        Session session = jms.session();
        Queue queue = jms.queue();
        Message message = session.createTextMessage("x");
        CompletableFuture<Message> completed = new CompletableFuture<>();
        session.createProducer(queue).send(message, 1, 7, 60_000, new Completion(completed));

        assertThat(completed.get(10, TimeUnit.SECONDS)).isSameAs(message);
        assertThat(message.getJMSMessageID()).startsWith("ID:");
        assertThat(message.getJMSPriority()).isEqualTo(7);
        assertThat(message.getJMSDestination()).isEqualTo(queue);
        assertThat(message.getJMSExpiration()).isPositive();
        assertThat(Jms.text(jms.session().createConsumer(queue))).isEqualTo("x");
    }

    @Test
    @Covers(
            sections = {"7.3.8", "7.3.3"},
            rules = {3, 24})
    void shouldCallBackInOrderOneAtATimeAndNotOnTheSendingThread(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        Thread sender = Thread.currentThread();
        List<Message> sent = new ArrayList<>();
        List<Message> completed = Collections.synchronizedList(new ArrayList<>());
        AtomicInteger running = new AtomicInteger();
        CompletableFuture<String> wrong = new CompletableFuture<>();
        CountDownLatch all = new CountDownLatch(200);
        for (int i = 0; i < 200; i++) {
            Message message = session.createMessage();
            sent.add(message);
            producer.send(message, new CompletionListener() {
                @Override
                public void onCompletion(Message done) {
                    if (running.incrementAndGet() > 1 || Thread.currentThread() == sender) {
                        wrong.complete("concurrent or on the sending thread");
                    }
                    completed.add(done);
                    running.decrementAndGet();
                    all.countDown();
                }

                @Override
                public void onException(Message done, Exception exception) {
                    wrong.complete(exception.toString());
                }
            });
        }
        assertThat(all.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(wrong).isNotDone();
        assertThat(completed).containsExactlyElementsOf(sent);
    }

    @Test
    @Covers(sections = "7.3.2", rules = 24)
    void shouldThrowOrCallBackAndNeverBoth(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        MessageProducer anywhere = session.createProducer(null);
        CompletableFuture<Message> outcome = new CompletableFuture<>();
        Completion listener = new Completion(outcome);
        Message message = session.createMessage();

        assertThatThrownBy(() -> producer.send(message, null)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> anywhere.send(jms.queue(), message, null))
                .isInstanceOf(IllegalArgumentException.class);
        assertOneOf(() -> producer.send(null, listener), outcome, MessageFormatException.class);
        assertOneOf(() -> anywhere.send(null, message, listener), outcome, InvalidDestinationException.class);
        assertOneOf(() -> producer.send(message, 77, 4, 0, listener), outcome, JMSException.class);
        assertOneOf(() -> producer.send(message, 2, 77, 0, listener), outcome, JMSException.class);
    }

    /** An invalid argument is refused in one way or the other; this provider throws. */
    private static void assertOneOf(Action send, CompletableFuture<?> outcome, Class<? extends Exception> expected) {
        assertThatThrownBy(send::run).isInstanceOf(expected);
        assertThat(outcome).isNotDone();
    }

    @Test
    @Covers(sections = "7.3.4", rules = 24)
    void shouldWaitForOpenCallbacksAtClose(Jms jms) throws Exception {
        for (int closing = 0; closing < 3; closing++) {
            Connection connection = jms.started();
            Session session = connection.createSession();
            MessageProducer producer = session.createProducer(jms.queue());
            AtomicInteger done = new AtomicInteger();
            for (int i = 0; i < 50; i++) {
                producer.send(session.createMessage(), calling(done::incrementAndGet, new CompletableFuture<>()));
            }
            List.<AutoCloseable>of(producer, session, connection).get(closing).close();

            assertThat(done).hasValue(50);
        }
    }

    @Test
    @Covers(sections = "7.3.4", rules = 24)
    void shouldWaitForOpenCallbacksAtCommitAndRollback(Jms jms) throws Exception {
        Session session = jms.session(Session.SESSION_TRANSACTED);
        Queue queue = jms.queue();
        MessageProducer producer = session.createProducer(queue);
        AtomicInteger done = new AtomicInteger();
        for (int i = 0; i < 20; i++) {
            producer.send(session.createTextMessage("" + i), calling(done::incrementAndGet, new CompletableFuture<>()));
        }
        session.commit();
        assertThat(done).hasValue(20);
        producer.send(session.createTextMessage("gone"), calling(done::incrementAndGet, new CompletableFuture<>()));
        session.rollback();
        assertThat(done).hasValue(21);

        jakarta.jms.MessageConsumer consumer = jms.session().createConsumer(queue);
        assertThat(Jms.texts(consumer, 20)).hasSize(20);
        assertThat(Jms.unexpected(consumer)).isNull();
    }

    @Test
    @Covers(sections = "7.3.4", rules = 24)
    void shouldRefuseToCloseItsOwnObjectsInACallback(Jms jms) throws Exception {
        Connection connection = jms.started();
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        MessageProducer producer = session.createProducer(jms.queue());
        List<Callable<?>> forbidden = List.of(
                call(producer::close),
                call(session::close),
                call(connection::close),
                call(session::commit),
                call(session::rollback));
        for (Callable<?> action : forbidden) {
            CompletableFuture<Throwable> thrown = new CompletableFuture<>();
            producer.send(session.createMessage(), calling(action, thrown));
            assertThat(thrown.get(10, TimeUnit.SECONDS)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    @Covers(sections = "7.3.4", rules = 24)
    void shouldRefuseToCloseItsOwnContextInACallback(Jms jms) throws Exception {
        JMSContext context = jms.context(JMSContext.SESSION_TRANSACTED);
        Queue queue = jms.queue();
        List<Callable<?>> forbidden = List.of(call(context::close), call(context::commit), call(context::rollback));
        for (Callable<?> action : forbidden) {
            CompletableFuture<Throwable> thrown = new CompletableFuture<>();
            context.createProducer().setAsync(calling(action, thrown)).send(queue, "x");
            assertThat(thrown.get(10, TimeUnit.SECONDS)).isInstanceOf(IllegalStateRuntimeException.class);
        }
    }

    @Test
    @Covers(sections = "7.3.7", rules = 24)
    void shouldLetTheApplicationUseTheSessionMeanwhile(Jms jms) throws Exception {
        Session session = jms.session();
        Queue queue = jms.queue();
        CountDownLatch leave = new CountDownLatch(1);
        CompletableFuture<Throwable> outcome = new CompletableFuture<>();
        session.createProducer(queue).send(session.createTextMessage("first"), calling(call(leave::await), outcome));
        Jms.send(session, queue, "second");

        assertThat(Jms.texts(session.createConsumer(queue), 2)).containsExactly("first", "second");
        assertThat(outcome).isNotDone();
        leave.countDown();
    }

    @Test
    @Covers(sections = "7.3.7", rules = 24)
    void shouldCloseObjectsOfOtherSessionsInACallback(Jms jms) throws Exception {
        Session session = jms.session();
        Connection other = jms.started();
        CompletableFuture<Throwable> outcome = new CompletableFuture<>();
        session.createProducer(jms.queue()).send(session.createMessage(), calling(call(other::close), outcome));

        assertThat(outcome.get(10, TimeUnit.SECONDS)).hasMessage("nothing was thrown");
    }
}
