package io.metaq.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.metaq.jms.broker.BrokerExtension;
import io.metaq.jms.broker.LocalBroker;
import io.metaq.testkit.net.FaultyLink;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Messages go back to a broker that does not answer, or is gone: nothing behind them is shown before them. */
@ExtendWith(BrokerExtension.class)
@Timeout(60)
class GivingBackTest {

    private static final long SOON = 10_000;

    private final LocalBroker broker;
    private final List<String> shown = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch reported = new CountDownLatch(1);
    private FaultyLink link;
    private Connection faulty;
    private Connection sound;
    private Queue queue;

    GivingBackTest(LocalBroker broker) {
        this.broker = broker;
    }

    @BeforeEach
    void connect(TestInfo test) throws JMSException, IOException {
        link = new FaultyLink(broker.port());
        String uri = "metaq://" + link.address() + "?requestTimeout=2000";
        faulty = new MetaQConnectionFactory(uri).createConnection();
        faulty.setExceptionListener(failure -> reported.countDown());
        sound = broker.factory().createConnection();
        sound.start();
        queue = sound.createSession()
                .createQueue("back-" + test.getTestMethod().orElseThrow().getName());
    }

    @AfterEach
    void close() throws JMSException, IOException {
        link.heal();
        faulty.close();
        sound.close();
        link.close();
    }

    @Test
    void shouldShowAListenerNothingBehindWhatItRefused() throws Exception {
        faulty.createSession().createConsumer(queue).setMessageListener(message -> {
            String text = text(message);
            shown.add(text);
            if (text.equals("m5") && shown.indexOf(text) == shown.size() - 1) {
                link.silence();
                throw new IllegalStateException("refused");
            }
        });
        send(50);
        faulty.start();
        assertThat(reported.await(SOON, TimeUnit.MILLISECONDS)).isTrue();
        assertThat(shown).isEqualTo(texts(0, 6));
        link.heal();
        await().atMost(Duration.ofMillis(SOON)).until(() -> shown.size() == 51);
        assertThat(shown.subList(6, 51)).isEqualTo(texts(5, 50));
    }

    @Test
    void shouldReceiveNothingBehindWhatWasRolledBack() throws Exception {
        send(100);
        faulty.start();
        Session session = faulty.createSession(true, Session.SESSION_TRANSACTED);
        MessageConsumer consumer = session.createConsumer(queue);
        // Long enough a run for the consumer to fetch ahead.
        for (int i = 0; i < 40; i++) {
            assertThat(text(consumer.receive(SOON))).isEqualTo("m" + i);
        }
        link.silence();
        assertThatThrownBy(session::rollback).isInstanceOf(JMSException.class);
        assertThat(consumer.receive(50)).isNull();
        link.heal();
        for (int i = 0; i < 100; i++) {
            Message message = consumer.receive(SOON);
            assertThat(text(message)).isEqualTo("m" + i);
            assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(i < 40 ? 2 : 1);
        }
        session.commit();
    }

    @Test
    void shouldShowNothingThatIsNoLongerItsOwn() throws Exception {
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        faulty.createSession().createConsumer(queue).setMessageListener(message -> {
            shown.add(text(message));
            first.countDown();
            awaitLatch(goOn);
        });
        send(50);
        faulty.start();
        assertThat(first.await(SOON, TimeUnit.MILLISECONDS)).isTrue();
        link.silence();
        link.cut();
        // The broker has everything back, and another consumer gets it: by then the client has seen the end too.
        MessageConsumer other = sound.createSession().createConsumer(queue);
        for (int i = 0; i < 50; i++) {
            assertThat(text(other.receive(SOON))).isEqualTo("m" + i);
        }
        other.close();
        goOn.countDown();
        link.heal();
        send("last");
        await().atMost(Duration.ofMillis(SOON)).until(() -> shown.contains("last"));
        assertThat(shown).containsExactly("m0", "last");
    }

    private void send(int count) throws JMSException {
        send(texts(0, count).toArray(new String[0]));
    }

    private void send(String... texts) throws JMSException {
        Session session = sound.createSession();
        MessageProducer producer = session.createProducer(queue);
        for (String text : texts) {
            Message message = session.createTextMessage(text);
            message.setStringProperty("JMSXGroupID", "one");
            producer.send(message);
        }
    }

    private static List<String> texts(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "m" + i).toList();
    }

    private static String text(Message message) {
        assertThat(message).isNotNull();
        try {
            return ((TextMessage) message).getText();
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            assertThat(latch.await(SOON, TimeUnit.MILLISECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
