package io.metaq.tck.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Conformance
class ListenersTest {

    /** One delivery, as a listener saw it. */
    private record Seen(String text, boolean redelivered, int count) {
        static Seen of(Message message) {
            try {
                return new Seen(
                        message.getBody(String.class),
                        message.getJMSRedelivered(),
                        message.getIntProperty("JMSXDeliveryCount"));
            } catch (JMSException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static <T> T take(BlockingQueue<T> queue) throws InterruptedException {
        T item = queue.poll(10, TimeUnit.SECONDS);
        assertThat(item).isNotNull();
        return item;
    }

    @Test
    @Covers(
            sections = {"8.7", "6.2.13"},
            rules = 26)
    void shouldRunListenersOfASessionOneAtATimeOnOneThread(Jms jms) throws Exception {
        Connection connection = jms.connect();
        Session session = connection.createSession();
        AtomicInteger running = new AtomicInteger();
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        CompletableFuture<String> wrong = new CompletableFuture<>();
        CountDownLatch all = new CountDownLatch(100);
        MessageListener listener = message -> {
            if (running.incrementAndGet() > 1) {
                wrong.complete("two at a time");
            }
            threads.add(Thread.currentThread());
            Thread.yield();
            running.decrementAndGet();
            all.countDown();
        };
        for (int i = 0; i < 2; i++) {
            Queue queue = jms.queue();
            String[] texts = new String[50];
            java.util.Arrays.fill(texts, "x");
            jms.send(queue, texts);
            MessageConsumer consumer = session.createConsumer(queue);
            consumer.setMessageListener(listener);
            assertThat(consumer.getMessageListener()).isSameAs(listener);
        }
        connection.start();

        assertThat(all.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(wrong).isNotDone();
        assertThat(threads).hasSize(1);
    }

    @Test
    @Covers(sections = "6.2.14", rules = 26)
    void shouldRunListenersOfDifferentSessionsAtOnce(Jms jms) throws Exception {
        Connection connection = jms.started();
        CyclicBarrier both = new CyclicBarrier(2);
        CountDownLatch met = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            Queue queue = jms.queue();
            connection.createSession().createConsumer(queue).setMessageListener(message -> {
                try {
                    both.await(10, TimeUnit.SECONDS);
                    met.countDown();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
            jms.send(queue, "x");
        }
        assertThat(met.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE})
    @Covers(
            sections = "8.7",
            rules = {12, 26})
    void shouldRedeliverAtOnceWhenAListenerThrows(int mode, Jms jms) throws Exception {
        Queue queue = jms.queue();
        jms.send(queue, "a", "b");
        BlockingQueue<Seen> seen = new LinkedBlockingQueue<>();
        jms.session(mode).createConsumer(queue).setMessageListener(message -> {
            Seen it = Seen.of(message);
            seen.add(it);
            if (it.text().equals("a") && it.count() < 3) {
                throw new IllegalArgumentException("thrown by the test");
            }
        });

        assertThat(take(seen)).isEqualTo(new Seen("a", false, 1));
        assertThat(take(seen)).isEqualTo(new Seen("a", true, 2));
        assertThat(take(seen)).isEqualTo(new Seen("a", true, 3));
        assertThat(take(seen)).isEqualTo(new Seen("b", false, 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {Session.CLIENT_ACKNOWLEDGE, Session.SESSION_TRANSACTED})
    @Covers(sections = "8.7", rules = 26)
    void shouldGoOnWithTheNextWhenAListenerThrowsInOtherModes(int mode, Jms jms) throws Exception {
        Queue queue = jms.queue();
        jms.send(queue, "a", "b");
        BlockingQueue<Seen> seen = new LinkedBlockingQueue<>();
        Session session = jms.session(mode);
        session.createConsumer(queue).setMessageListener(message -> {
            Seen it = Seen.of(message);
            seen.add(it);
            if (it.text().equals("a")) {
                throw new IllegalArgumentException("thrown by the test");
            }
        });
        assertThat(take(seen).text()).isEqualTo("a");
        assertThat(take(seen).text()).isEqualTo("b");
        session.close();

        MessageConsumer consumer = jms.session().createConsumer(queue);
        assertThat(Seen.of(Jms.next(consumer))).isEqualTo(new Seen("a", true, 2));
        assertThat(Jms.text(consumer)).isEqualTo("b");
    }

    @Test
    @Covers(
            sections = {"6.1.5", "6.1.8", "6.2.15"},
            rules = 25)
    void shouldRefuseToCloseOrStopItsOwnObjectsInAListener(Jms jms) throws Exception {
        Connection connection = jms.started();
        Session session = connection.createSession();
        JMSContext context = jms.context();
        assertThat(thrownInListener(jms, session, call(connection::close))).isInstanceOf(IllegalStateException.class);
        assertThat(thrownInListener(jms, session, call(connection::stop))).isInstanceOf(IllegalStateException.class);
        assertThat(thrownInListener(jms, session, call(session::close))).isInstanceOf(IllegalStateException.class);
        assertThat(thrownInListener(jms, context, call(context::stop)))
                .isInstanceOf(IllegalStateRuntimeException.class);
        assertThat(thrownInListener(jms, context, call(context::close)))
                .isInstanceOf(IllegalStateRuntimeException.class);
    }

    @FunctionalInterface
    private interface Action {
        void run() throws Exception;
    }

    private static Callable<?> call(Action action) {
        return () -> {
            action.run();
            return null;
        };
    }

    private static MessageListener calling(Callable<?> action, CompletableFuture<Throwable> thrown) {
        return message -> {
            try {
                action.call();
                thrown.complete(new AssertionError("nothing was thrown"));
            } catch (Exception e) {
                thrown.complete(e);
            }
        };
    }

    private static Throwable thrownInListener(Jms jms, Session session, Callable<?> action) throws Exception {
        Queue queue = jms.queue();
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        MessageConsumer consumer = session.createConsumer(queue);
        consumer.setMessageListener(calling(action, thrown));
        jms.send(queue, "x");
        Throwable result = thrown.get(10, TimeUnit.SECONDS);
        consumer.close();
        return result;
    }

    private static Throwable thrownInListener(Jms jms, JMSContext context, Callable<?> action) throws Exception {
        Queue queue = jms.queue();
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        JMSConsumer consumer = context.createConsumer(queue);
        consumer.setMessageListener(calling(action, thrown));
        jms.send(queue, "x");
        Throwable result = thrown.get(10, TimeUnit.SECONDS);
        consumer.close();
        return result;
    }

    @Test
    @Covers(sections = "8.8", rules = 25)
    void shouldCloseItsOwnConsumerInAListener(Jms jms) throws Exception {
        Queue queue = jms.queue();
        MessageConsumer consumer = jms.session().createConsumer(queue);
        CompletableFuture<Throwable> outcome = new CompletableFuture<>();
        consumer.setMessageListener(calling(call(consumer::close), outcome));
        jms.send(queue, "a", "b");

        assertThat(outcome.get(10, TimeUnit.SECONDS)).hasMessage("nothing was thrown");
        MessageConsumer next = jms.session().createConsumer(queue);
        assertThat(Jms.text(next)).isEqualTo("b");
        assertThat(Jms.unexpected(next)).isNull();
    }

    @Test
    @Covers(sections = "6.2.5", rules = 26)
    void shouldNotMixListenersWithReceives(Jms jms) throws JMSException {
        MessageConsumer consumer = jms.session().createConsumer(jms.queue());
        consumer.setMessageListener(message -> {});

        assertThatThrownBy(() -> consumer.receive(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(consumer::receiveNoWait).isInstanceOf(IllegalStateException.class);
        consumer.setMessageListener(null);
        assertThat(consumer.receive(1)).isNull();
    }

    @Test
    @Covers(sections = "8.7", rules = 29)
    void shouldAcknowledgeInsideAListener(Jms jms) throws Exception {
        Queue queue = jms.queue();
        jms.send(queue, "a", "b", "c");
        BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
        session.createConsumer(queue).setMessageListener(message -> {
            try {
                String text = message.getBody(String.class);
                if (text.equals("b")) {
                    message.acknowledge();
                }
                seen.add(text);
            } catch (JMSException e) {
                throw new AssertionError(e);
            }
        });
        assertThat(List.of(take(seen), take(seen), take(seen))).containsExactly("a", "b", "c");
        session.close();

        assertThat(Jms.text(jms.session().createConsumer(queue))).isEqualTo("c");
    }

    @Test
    @Covers(sections = "8.7", rules = 29)
    void shouldRecoverInsideAListener(Jms jms) throws Exception {
        Queue queue = jms.queue();
        jms.send(queue, "a", "b");
        BlockingQueue<Seen> seen = new LinkedBlockingQueue<>();
        Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
        session.createConsumer(queue).setMessageListener(message -> {
            Seen it = Seen.of(message);
            seen.add(it);
            try {
                if (it.text().equals("b") && it.count() == 1) {
                    session.recover();
                } else if (it.text().equals("b")) {
                    message.acknowledge();
                }
            } catch (JMSException e) {
                throw new AssertionError(e);
            }
        });

        assertThat(List.of(take(seen), take(seen), take(seen), take(seen)))
                .extracting(Seen::text)
                .containsExactly("a", "b", "a", "b");
    }
}
