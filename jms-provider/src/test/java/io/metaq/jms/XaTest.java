package io.metaq.jms;

import static javax.transaction.xa.XAResource.TMJOIN;
import static javax.transaction.xa.XAResource.TMNOFLAGS;
import static javax.transaction.xa.XAResource.TMSTARTRSCAN;
import static javax.transaction.xa.XAResource.TMSUCCESS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.metaq.jms.broker.LocalBroker;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import jakarta.jms.TransactionInProgressException;
import jakarta.jms.TransactionInProgressRuntimeException;
import jakarta.jms.XAConnection;
import jakarta.jms.XAJMSContext;
import jakarta.jms.XASession;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions in branches, as a transaction manager drives them. */
@Timeout(60)
class XaTest {

    private static final long SOON = 30_000;
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    @TempDir
    Path directory;

    private LocalBroker broker;
    private XAConnection connection;
    private XASession session;
    private XAResource resource;
    private Connection watching;
    private Session plain;
    private Queue in;
    private Queue out;
    private final Xid xid = new TestXid();

    @BeforeEach
    void open() throws Exception {
        broker = new LocalBroker(directory);
        connection = factory().createXAConnection();
        connection.start();
        session = connection.createXASession();
        resource = session.getXAResource();
        watching = broker.factory().createConnection();
        watching.start();
        plain = watching.createSession();
        in = plain.createQueue("xa-in");
        out = plain.createQueue("xa-out");
    }

    @AfterEach
    void close() throws Exception {
        connection.close();
        watching.close();
        broker.close();
    }

    private MetaQXAConnectionFactory factory() {
        return new MetaQXAConnectionFactory(broker.uri());
    }

    @Test
    void shouldMoveAMessageAllOrNothing() throws Exception {
        send("order");
        MessageConsumer consumer = session.createConsumer(in);
        move(consumer, "reply");
        assertThat(resource.prepare(xid)).isEqualTo(XAResource.XA_OK);
        assertThat(count(out)).isZero();
        assertThat(resource.recover(TMSTARTRSCAN)).hasSize(1);
        resource.commit(xid, false);

        assertThat(text(plain.createConsumer(out).receive(SOON))).isEqualTo("reply");
        assertThat(consumer.receiveNoWait()).isNull();
        assertThat(resource.recover(TMSTARTRSCAN)).isEmpty();
    }

    @Test
    void shouldCommitInOnePhase() throws Exception {
        send("order");
        MessageConsumer consumer = session.createConsumer(in);
        move(consumer, "reply");
        resource.commit(xid, true);

        assertThat(count(out)).isEqualTo(1);
        assertThat(consumer.receiveNoWait()).isNull();
    }

    @Test
    void shouldGiveBackAndForgetWhatIsRolledBackBeforeThePrepare() throws Exception {
        send("order");
        MessageConsumer consumer = session.createConsumer(in);
        move(consumer, "reply");
        resource.rollback(xid);

        expectAgain(consumer);
        assertThat(count(out)).isZero();
    }

    @Test
    void shouldGiveBackAndForgetWhatIsRolledBackAfterThePrepare() throws Exception {
        send("order");
        MessageConsumer consumer = session.createConsumer(in);
        move(consumer, "reply");
        resource.prepare(xid);
        resource.rollback(xid);

        expectAgain(consumer);
        assertThat(count(out)).isZero();
    }

    @Test
    void shouldFinishAPreparedBranchByAnotherConnectionAfterARestart() throws Exception {
        send("order");
        move(session.createConsumer(in), "reply");
        resource.prepare(xid);
        connection.close();
        broker.restart();

        try (XAConnection recovering = factory().createXAConnection()) {
            XAResource other = recovering.createXASession().getXAResource();
            Xid[] found = other.recover(TMSTARTRSCAN);
            assertThat(found).hasSize(1);
            assertThat(found[0].getGlobalTransactionId()).isEqualTo(xid.getGlobalTransactionId());
            other.commit(found[0], false);
            assertThat(other.recover(TMSTARTRSCAN)).isEmpty();
            expectUnknown(() -> other.commit(found[0], false));
            expectUnknown(() -> other.rollback(found[0]));
        }
        assertThat(count(out)).isEqualTo(1);
        assertThat(plain.createConsumer(in).receiveNoWait()).isNull();
    }

    /** Its subscription ends with the broker, and nobody can be given the message again; the branch is finished nevertheless. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldFinishABranchThatReceivedFromASubscriptionThatIsGoneWithTheBroker(boolean commit) throws Exception {
        Topic news = plain.createTopic("news");
        MessageConsumer consumer = session.createConsumer(news);
        plain.createProducer(news).send(plain.createTextMessage("first"));
        resource.start(xid, TMNOFLAGS);
        assertThat(text(consumer.receive(SOON))).isEqualTo("first");
        resource.end(xid, TMSUCCESS);
        assertThat(resource.prepare(xid)).isEqualTo(XAResource.XA_OK);
        broker.restart();

        await().atMost(Duration.ofMillis(SOON))
                .ignoreExceptionsInstanceOf(XAException.class)
                .untilAsserted(() -> assertThat(resource.recover(TMSTARTRSCAN)).hasSize(1));
        if (commit) {
            resource.commit(xid, false);
        } else {
            resource.rollback(xid);
        }
        assertThat(resource.recover(TMSTARTRSCAN)).isEmpty();
        plain.createProducer(news).send(plain.createTextMessage("second"));
        assertThat(text(consumer.receive(SOON))).isEqualTo("second");
    }

    @Test
    void shouldRollBackWhatWasNotPreparedWhenTheConnectionEnds() throws Exception {
        send("order");
        move(session.createConsumer(in), "reply");
        connection.close();

        expectAgain(plain.createConsumer(in));
        assertThat(count(out)).isZero();
        assertThatThrownBy(() -> resource.prepare(xid)).isInstanceOf(XAException.class);
    }

    @Test
    void shouldCommitTheWorkOfAClosedSession() throws Exception {
        send("order");
        move(session.createConsumer(in), "reply");
        session.close();
        assertThat(resource.prepare(xid)).isEqualTo(XAResource.XA_OK);
        resource.commit(xid, false);

        assertThat(count(out)).isEqualTo(1);
        assertThat(plain.createConsumer(in).receiveNoWait()).isNull();
    }

    @Test
    void shouldJoinTheWorkOfTwoConnections() throws Exception {
        send("order");
        move(session.createConsumer(in), "first");
        try (XAConnection second = factory().createXAConnection()) {
            XASession joining = second.createXASession();
            XAResource joined = joining.getXAResource();
            assertThat(resource.isSameRM(joined)).isTrue();
            joined.start(xid, TMJOIN);
            joining.createProducer(out).send(joining.createTextMessage("second"));
            joined.end(xid, TMSUCCESS);
            resource.prepare(xid);
            assertThat(count(out)).isZero();
            resource.commit(xid, false);
        }
        assertThat(count(out)).isEqualTo(2);
        assertThat(plain.createConsumer(in).receiveNoWait()).isNull();
    }

    @Test
    void shouldWorkAtOnceOutsideOfBranches() throws Exception {
        send("order");
        assertThat(text(session.createConsumer(in).receive(SOON))).isEqualTo("order");
        session.createProducer(out).send(session.createTextMessage("at once"));
        session.close();

        assertThat(count(in)).isZero();
        assertThat(count(out)).isEqualTo(1);
    }

    @Test
    void shouldTakeTheListenersMessageIntoABranchThatBeginsWithinIt() throws Exception {
        CountDownLatch redelivered = new CountDownLatch(1);
        AtomicInteger calls = new AtomicInteger();
        session.createConsumer(in).setMessageListener(message -> {
            boolean first = calls.incrementAndGet() == 1;
            Xid branch = new TestXid();
            try {
                resource.start(branch, TMNOFLAGS);
                resource.end(branch, TMSUCCESS);
                if (first) {
                    resource.rollback(branch);
                } else {
                    resource.commit(branch, true);
                    redelivered.countDown();
                }
            } catch (XAException e) {
                throw new IllegalStateException(e);
            }
        });
        send("order");
        assertThat(redelivered.await(SOON, TimeUnit.MILLISECONDS)).isTrue();
        session.close();
        assertThat(calls.get()).isEqualTo(2);
        assertThat(count(in)).isZero();
    }

    @Test
    void shouldSendMuchAheadAndShowNothingOfIt() throws Exception {
        resource.start(xid, TMNOFLAGS);
        MessageProducer producer = session.createProducer(out);
        String text = "x".repeat(100_000);
        for (int i = 0; i < 100; i++) {
            producer.send(session.createTextMessage(text));
        }
        assertThat(count(out)).isZero();
        resource.end(xid, TMSUCCESS);
        resource.prepare(xid);
        assertThat(count(out)).isZero();
        resource.commit(xid, false);

        assertThat(count(out)).isEqualTo(100);
    }

    @Test
    void shouldRollBackWhatTookTooLong() throws Exception {
        resource.setTransactionTimeout(1);
        assertThat(resource.getTransactionTimeout()).isEqualTo(1);
        send("order");
        MessageConsumer consumer = session.createConsumer(in);
        move(consumer, "late");
        long begun = System.nanoTime();
        org.awaitility.Awaitility.await().until(() -> System.nanoTime() - begun > TimeUnit.MILLISECONDS.toNanos(1100));
        assertThatThrownBy(() -> resource.prepare(xid))
                .extracting(failure -> ((XAException) failure).errorCode)
                .isEqualTo(XAException.XA_RBTIMEOUT);
        expectAgain(consumer);
    }

    @Test
    void shouldLeaveTheDecisionToTheTransactionManager() throws Exception {
        assertThat(session.getTransacted()).isTrue();
        assertThat(session.getAcknowledgeMode()).isEqualTo(Session.SESSION_TRANSACTED);
        assertThat(session.getSession()).isSameAs(session);
        assertThatThrownBy(session::commit).isInstanceOf(TransactionInProgressException.class);
        assertThatThrownBy(session::rollback).isInstanceOf(TransactionInProgressException.class);
        assertThatThrownBy(session::recover).isInstanceOf(jakarta.jms.IllegalStateException.class);
        try (XAJMSContext context = factory().createXAContext()) {
            assertThat(context.getTransacted()).isTrue();
            assertThatThrownBy(context::commit).isInstanceOf(TransactionInProgressRuntimeException.class);
        }
    }

    @Test
    void shouldWorkInContexts() throws Exception {
        try (XAJMSContext context = factory().createXAContext()) {
            XAResource contextual = context.getXAResource();
            contextual.start(xid, TMNOFLAGS);
            context.createProducer().send(out, "by context");
            contextual.end(xid, TMSUCCESS);
            assertThat(count(out)).isZero();
            contextual.commit(xid, true);
        }
        assertThat(text(plain.createConsumer(out).receive(SOON))).isEqualTo("by context");
    }

    private void move(MessageConsumer consumer, String reply) throws Exception {
        resource.start(xid, TMNOFLAGS);
        assertThat(text(consumer.receive(SOON))).isEqualTo("order");
        session.createProducer(out).send(session.createTextMessage(reply));
        resource.end(xid, TMSUCCESS);
    }

    private void send(String text) throws JMSException {
        plain.createProducer(in).send(plain.createTextMessage(text));
    }

    private int count(Queue queue) throws JMSException {
        int count = 0;
        var browser = plain.createBrowser(queue);
        for (var messages = browser.getEnumeration(); messages.hasMoreElements(); messages.nextElement()) {
            count++;
        }
        browser.close();
        return count;
    }

    private static void expectAgain(MessageConsumer consumer) throws JMSException {
        Message again = consumer.receive(SOON);
        assertThat(text(again)).isEqualTo("order");
        assertThat(again.getJMSRedelivered()).isTrue();
        assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
    }

    private static void expectUnknown(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .extracting(failure -> ((XAException) failure).errorCode)
                .isEqualTo(XAException.XAER_NOTA);
    }

    private static String text(Message message) throws JMSException {
        assertThat(message).isNotNull();
        return ((TextMessage) message).getText();
    }

    private static final class TestXid implements Xid {

        private final byte number = (byte) NUMBERS.incrementAndGet();

        @Override
        public int getFormatId() {
            return 131077;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return new byte[] {7, number};
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[] {1};
        }
    }
}
