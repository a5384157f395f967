package io.metaq.tck.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.metaq.jms.MetaQConnectionFactory;
import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.BrokerProcess;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Almost every message fails: what is good flows all the same, and each failure is put aside once, with its reason. */
class DeadLetterFloodTest {
    private static final int MESSAGES = 20_000;
    private static final int GOOD_EVERY = 10;
    private static final Duration LONGEST = Duration.ofSeconds(120);

    @TempDir
    Path directory;

    @Test
    void shouldPutFailuresAsideWithoutHoldingUpWhatIsGood() throws JMSException {
        BrokerFiles files = BrokerFiles.in(directory)
                .topic("work", Map.of("kind", "queue", "numPartitions", "1", "maxDeliveries", "2"));
        try (BrokerProcess broker = BrokerProcess.start(files, "-Xmx128m");
                Connection connection =
                        new MetaQConnectionFactory("metaq://127.0.0.1:" + broker.port()).createConnection()) {
            send(connection);
            Set<Integer> good = ConcurrentHashMap.newKeySet();
            AtomicInteger failures = new AtomicInteger();
            work(connection, good, failures);
            connection.start();
            await().atMost(LONGEST).until(() -> good.size() == MESSAGES / GOOD_EVERY);
            await().atMost(LONGEST).until(() -> failures.get() == 2 * (MESSAGES - MESSAGES / GOOD_EVERY));
            assertThat(deadLetters(connection)).hasSize(MESSAGES - MESSAGES / GOOD_EVERY);
            assertThat(failures.get()).isEqualTo(2 * (MESSAGES - MESSAGES / GOOD_EVERY));
            assertThat(broker.isAlive()).isTrue();
        }
    }

    private static void send(Connection connection) throws JMSException {
        try (Session session = connection.createSession()) {
            MessageProducer producer = session.createProducer(session.createQueue("work"));
            AtomicInteger stored = new AtomicInteger();
            CompletionListener listener = new CompletionListener() {
                @Override
                public void onCompletion(Message message) {
                    stored.incrementAndGet();
                }

                @Override
                public void onException(Message message, Exception exception) {
                    throw new IllegalStateException(exception);
                }
            };
            for (int i = 0; i < MESSAGES; i++) {
                Message message = session.createMessage();
                message.setIntProperty("number", i);
                producer.send(message, listener);
            }
            await().atMost(LONGEST).until(() -> stored.get() == MESSAGES);
        }
    }

    private static void work(Connection connection, Set<Integer> good, AtomicInteger failures) throws JMSException {
        Session session = connection.createSession();
        session.createConsumer(session.createQueue("work")).setMessageListener(message -> {
            try {
                int number = message.getIntProperty("number");
                if (number % GOOD_EVERY != 0) {
                    failures.incrementAndGet();
                    throw new IllegalArgumentException("message " + number + " fails always");
                }
                good.add(number);
            } catch (JMSException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** Numbers of the messages in the dead letter queue; none is there twice. Those that expire there are gone, not put aside again. */
    private static Set<Integer> deadLetters(Connection connection) throws JMSException {
        try (Session session = connection.createSession()) {
            Queue queue = session.createQueue("DLQ");
            MessageProducer producer = session.createProducer(queue);
            producer.setTimeToLive(1);
            producer.send(session.createMessage());
            MessageConsumer consumer = session.createConsumer(queue);
            Set<Integer> numbers = new HashSet<>();
            for (Message m = consumer.receive(2000); m != null; m = consumer.receive(2000)) {
                assertThat(numbers.add(m.getIntProperty("number"))).isTrue();
                assertThat(m.getStringProperty("JMS_MetaQ_DeadLetterReason")).contains("2 times");
                assertThat(m.getStringProperty("JMS_MetaQ_OriginalDestination")).isEqualTo("queue://work");
            }
            return numbers;
        }
    }
}
