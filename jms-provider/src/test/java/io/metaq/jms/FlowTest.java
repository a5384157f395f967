package io.metaq.jms;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.jms.broker.BrokerExtension;
import io.metaq.jms.broker.LocalBroker;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who holds messages, and who must not. */
@ExtendWith(BrokerExtension.class)
@Timeout(60)
class FlowTest {

    private static final long SOON = 30_000;

    private final LocalBroker broker;
    private Connection one;
    private Connection other;
    private Queue queue;

    FlowTest(LocalBroker broker) {
        this.broker = broker;
    }

    @BeforeEach
    void connect(TestInfo test) throws JMSException {
        one = broker.factory().createConnection();
        other = broker.factory().createConnection();
        other.start();
        queue = other.createSession()
                .createQueue("flow-" + test.getTestMethod().orElseThrow().getName());
    }

    @AfterEach
    void close() throws JMSException {
        one.close();
        other.close();
    }

    @Test
    void shouldHoldNothingWhileTheConnectionIsStopped() throws Exception {
        MessageConsumer idle = one.createSession().createConsumer(queue);
        send(3);

        expect(other.createSession().createConsumer(queue), 0, 3);
        one.start();
        assertThat(idle.receiveNoWait()).isNull();
    }

    @Test
    void shouldHoldNothingWhileNobodyReceives() throws Exception {
        one.start();
        MessageConsumer idle = one.createSession().createConsumer(queue);
        send(4);
        assertThat(text(idle.receive(SOON))).isEqualTo("m0");

        expect(other.createSession().createConsumer(queue), 1, 4);
    }

    @Test
    void shouldLeaveNoCreditBehindAReceiveThatRanOut() throws Exception {
        one.start();
        MessageConsumer impatient = one.createSession().createConsumer(queue);
        assertThat(impatient.receive(50)).isNull();
        assertThat(impatient.receiveNoWait()).isNull();
        send(2);

        expect(other.createSession().createConsumer(queue), 0, 2);
    }

    @Test
    void shouldGiveBackInOrderWhenTheConnectionStops() throws Exception {
        CountDownLatch called = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        one.createSession().createConsumer(queue).setMessageListener(message -> {
            called.countDown();
            awaitLatch(released);
        });
        send(50);
        one.start();
        assertThat(called.await(SOON, TimeUnit.MILLISECONDS)).isTrue();
        released.countDown();
        one.stop();

        MessageConsumer next = other.createSession().createConsumer(queue);
        Message first = next.receive(SOON);
        // Some may have been processed before the stop; what is left is whole and in order.
        if (first != null) {
            int from = Integer.parseInt(text(first).substring(1));
            assertThat(first.getJMSRedelivered()).isFalse();
            expect(next, from + 1, 50);
        }
    }

    @Test
    void shouldGiveBackWhatNobodyCameToReceive() throws Exception {
        int count = 200;
        send(count);
        one.start();
        MessageConsumer hasty = one.createSession().createConsumer(queue);
        // Long enough a run for the consumer to fetch ahead; then it loses interest.
        expect(hasty, 0, 100);

        MessageConsumer next = other.createSession().createConsumer(queue);
        int received = 0;
        while (received < 100 && next.receive(SOON) != null) {
            received++;
        }
        assertThat(received).isEqualTo(100);
    }

    @Test
    void shouldNotAskForMoreThanThePrefetch() throws Exception {
        try (Connection small = broker.factory("prefetch=2").createConnection()) {
            CountDownLatch called = new CountDownLatch(1);
            CountDownLatch released = new CountDownLatch(1);
            small.createSession().createConsumer(queue).setMessageListener(message -> {
                called.countDown();
                awaitLatch(released);
            });
            small.start();
            send(10);
            assertThat(called.await(SOON, TimeUnit.MILLISECONDS)).isTrue();

            // One in the listener, two waiting: seven are for others.
            expect(other.createSession().createConsumer(queue), 3, 10);
            released.countDown();
        }
    }

    private void send(int count) throws JMSException {
        Session session = other.createSession();
        MessageProducer producer = session.createProducer(queue);
        for (int i = 0; i < count; i++) {
            producer.send(session.createTextMessage("m" + i));
        }
        session.close();
    }

    private static void expect(MessageConsumer consumer, int from, int to) throws JMSException {
        for (int i = from; i < to; i++) {
            assertThat(text(consumer.receive(SOON))).isEqualTo("m" + i);
        }
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            assertThat(latch.await(SOON, TimeUnit.MILLISECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String text(Message message) {
        assertThat(message).isNotNull();
        try {
            return ((TextMessage) message).getText();
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }
}
