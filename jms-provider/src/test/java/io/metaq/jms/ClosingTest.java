package io.metaq.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.metaq.jms.broker.BrokerExtension;
import io.metaq.jms.broker.LocalBroker;
import io.metaq.testkit.net.FaultyLink;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Whatever ends something comes back within ten seconds, whatever the broker does meanwhile and whoever waits for what, and leaves no
 * thread. All combinations run side by side, each with a connection of its own, since those with a silent broker take their time.
 */
@ExtendWith(BrokerExtension.class)
@Timeout(120)
class ClosingTest {

    private static final long LIMIT_MS = 10_000;

    private enum Weather {
        FINE,
        SILENT,
        DEAD;

        void comes(FaultyLink link) throws Exception {
            switch (this) {
                case FINE -> {}
                case SILENT -> link.silence();
                case DEAD -> link.close();
            }
        }
    }

    /** What is ended, or could be waited for without end. */
    private enum Ending {
        CLOSE_CONSUMER((c, s, m) -> m.close()),
        CLOSE_SESSION((c, s, m) -> s.close()),
        CLOSE_CONNECTION((c, s, m) -> c.close()),
        STOP((c, s, m) -> c.stop()),
        COMMIT((c, s, m) -> s.commit()),
        ROLLBACK((c, s, m) -> s.rollback()),
        UNSUBSCRIBE((c, s, m) -> s.unsubscribe("nothing")),
        UNSET_LISTENER((c, s, m) -> m.setMessageListener(null));

        private interface Step {
            void run(Connection connection, Session session, MessageConsumer consumer) throws JMSException;
        }

        private final Step step;

        Ending(Step step) {
            this.step = step;
        }
    }

    /** What else goes on at that moment. */
    private enum Activity {
        NOTHING,
        RECEIVING,
        LISTENING,
        SENDING_ASYNC
    }

    private final LocalBroker broker;

    ClosingTest(LocalBroker broker) {
        this.broker = broker;
    }

    @Test
    void shouldComeBackInTimeFromEveryEndingAndLeaveNoThread() throws Exception {
        Map<String, String> failures = new ConcurrentSkipListMap<>();
        ExecutorService cells = Executors.newCachedThreadPool();
        List<CountDownLatch> open = new ArrayList<>();
        for (Weather weather : Weather.values()) {
            for (Ending ending : Ending.values()) {
                for (Activity activity : Activity.values()) {
                    String name = weather + " " + ending + " while " + activity;
                    CountDownLatch done = new CountDownLatch(1);
                    open.add(done);
                    cells.execute(() -> {
                        try {
                            String failure = new Cell(name, weather, ending, activity).run();
                            if (failure != null) {
                                failures.put(name, failure);
                            }
                        } catch (Exception | AssertionError e) {
                            failures.put(name, e.toString());
                        } finally {
                            done.countDown();
                        }
                    });
                }
            }
        }
        for (CountDownLatch done : open) {
            assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
        }
        cells.shutdown();
        assertThat(failures).isEmpty();
        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(leftThreads()).isEmpty());
    }

    private static Map<String, Long> leftThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("metaq-jms") || name.startsWith("metaq-client"))
                .collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
    }

    private final class Cell {
        private final String name;
        private final Weather weather;
        private final Ending ending;
        private final Activity activity;

        Cell(String name, Weather weather, Ending ending, Activity activity) {
            this.name = name;
            this.weather = weather;
            this.ending = ending;
            this.activity = activity;
        }

        /** @return what went wrong; null for nothing */
        String run() throws Exception {
            try (FaultyLink link = new FaultyLink(broker.port())) {
                Connection connection = new MetaQConnectionFactory("metaq://" + link.address()).createConnection();
                connection.setClientID(name.replace(' ', '-'));
                Session session = connection.createSession(Session.SESSION_TRANSACTED);
                Queue queue = session.createQueue("closing-" + name.replace(' ', '-'));
                MessageConsumer consumer = session.createConsumer(queue);
                connection.start();
                begin(connection, session, consumer, queue);
                weather.comes(link);
                long took = timed(() -> ending.step.run(connection, session, consumer));
                long closing = timed(connection::close);
                if (took > LIMIT_MS || closing > LIMIT_MS) {
                    return "took " + took + " ms, the connection's close " + closing + " ms";
                }
                return null;
            }
        }

        private void begin(Connection connection, Session session, MessageConsumer consumer, Queue queue)
                throws Exception {
            switch (activity) {
                case NOTHING -> {}
                case RECEIVING -> {
                    Thread receiver = new Thread(() -> receive(consumer), "receiver");
                    receiver.setDaemon(true);
                    receiver.start();
                    await().until(() -> receiver.getState() == Thread.State.TIMED_WAITING);
                }
                case LISTENING -> {
                    CountDownLatch called = new CountDownLatch(1);
                    consumer.setMessageListener(message -> called.countDown());
                    Session sending = connection.createSession();
                    sending.createProducer(queue).send(sending.createTextMessage("x"));
                    assertThat(called.await(10, TimeUnit.SECONDS)).isTrue();
                }
                case SENDING_ASYNC -> {
                    Session sending = connection.createSession();
                    MessageProducer producer = sending.createProducer(queue);
                    for (int i = 0; i < 10; i++) {
                        producer.send(sending.createTextMessage("x"), new CountingListener());
                    }
                }
            }
        }

        private void receive(MessageConsumer consumer) {
            try {
                consumer.receive();
            } catch (JMSException e) {
                // It may be told that the connection is gone; what counts is that it ends.
                assertThat(e).hasMessageNotContaining("null");
            }
        }
    }

    private interface Step {
        void run() throws JMSException;
    }

    /** A failure is as good an end as any. */
    private static long timed(Step step) {
        long begin = System.nanoTime();
        try {
            step.run();
        } catch (JMSException e) {
            assertThat(e.getMessage()).isNotBlank();
        }
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    }
}
