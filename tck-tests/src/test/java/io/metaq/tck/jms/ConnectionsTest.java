package io.metaq.tck.jms;

import static io.metaq.tck.jms.Jms.text;
import static io.metaq.tck.jms.Jms.unexpected;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.jms.MetaQConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.ExceptionListener;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.InvalidClientIDRuntimeException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Conformance
class ConnectionsTest {

    @Test
    @Covers(
            sections = {"6.1.2", "6.1.3"},
            rules = 10)
    void shouldSetAClientIdentifierAtTheBeginning(Jms jms) throws JMSException {
        String id = jms.name();
        Connection connection = jms.connect();
        assertThat(connection.getClientID()).isNull();
        connection.setClientID(id);

        assertThat(connection.getClientID()).isEqualTo(id);
        assertThatThrownBy(() -> connection.setClientID("other")).isInstanceOf(IllegalStateException.class);
    }

    /** A use of a connection. */
    @FunctionalInterface
    interface Use {
        void of(Connection connection) throws JMSException;
    }

    static Stream<Use> uses() {
        return Stream.of(
                Connection::start,
                Connection::stop,
                Connection::getMetaData,
                Connection::createSession,
                Connection::getExceptionListener,
                connection -> connection.setExceptionListener(e -> {}));
    }

    @ParameterizedTest
    @MethodSource("uses")
    @Covers(sections = "6.1.2", rules = 10)
    void shouldRefuseAClientIdentifierAfterAnyUse(Use use, Jms jms) throws JMSException {
        Connection connection = jms.connect();
        use.of(connection);

        assertThatThrownBy(() -> connection.setClientID(jms.name())).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @Covers(
            sections = {"6.1.2", "10.3"},
            rules = 10)
    void shouldLetOneConnectionHaveAClientIdentifierAndFreeItAtOnce(Jms jms) throws JMSException {
        String id = jms.name();
        Connection first = jms.connect(id);
        Connection second = jms.connect();
        assertThatThrownBy(() -> second.setClientID(id)).isInstanceOf(InvalidClientIDException.class);
        assertThatThrownBy(() -> jms.connect().setClientID(null)).isInstanceOf(InvalidClientIDException.class);
        assertThatThrownBy(() -> jms.connect().setClientID("")).isInstanceOf(InvalidClientIDException.class);
        assertThatThrownBy(() -> jms.context().setClientID(id)).isInstanceOf(InvalidClientIDRuntimeException.class);

        for (int i = 0; i < 20; i++) {
            first.close();
            first = jms.connect(id);
        }
    }

    @Test
    @Covers(sections = "6.1.2", rules = 10)
    void shouldKeepAnIdentifierThatTheAdministratorSet(Jms jms) throws JMSException {
        String id = jms.name();
        MetaQConnectionFactory factory = new MetaQConnectionFactory(jms.uri() + "?clientId=" + id);
        Connection connection = jms.closing(factory.createConnection());

        assertThat(connection.getClientID()).isEqualTo(id);
        assertThatThrownBy(() -> connection.setClientID("other")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(factory::createConnection).isInstanceOf(InvalidClientIDException.class);
    }

    @Test
    @Covers(
            sections = {"6.1.4", "8.4"},
            rules = 1)
    void shouldDeliverNothingBeforeItIsStarted(Jms jms) throws JMSException {
        Queue queue = jms.queue();
        Connection connection = jms.connect();
        Session session = connection.createSession();
        MessageConsumer consumer = session.createConsumer(queue);
        Jms.send(session, queue, "a");
        assertThat(unexpected(consumer)).isNull();
        assertThat(consumer.receiveNoWait()).isNull();
        connection.start();
        connection.start();

        assertThat(text(consumer)).isEqualTo("a");
    }

    @Test
    @Covers(sections = "6.1.5", rules = 27)
    void shouldPauseReceivesAndLetTheirTimersRun(Jms jms) throws Exception {
        Queue queue = jms.queue();
        Connection connection = jms.started();
        MessageConsumer consumer = connection.createSession().createConsumer(queue);
        connection.stop();
        connection.stop();
        jms.send(queue, "a");
        assertThat(unexpected(consumer)).isNull();
        CompletableFuture<Message> waiting = CompletableFuture.supplyAsync(() -> receive(consumer));
        connection.start();

        assertThat(waiting.get(10, TimeUnit.SECONDS).getBody(String.class)).isEqualTo("a");
    }

    private static Message receive(MessageConsumer consumer) {
        try {
            return consumer.receive(Jms.SOON);
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @Covers(sections = "6.1.5", rules = 27)
    void shouldWaitForRunningListenersWhenItStops(Jms jms) throws Exception {
        Queue queue = jms.queue();
        Connection connection = jms.started();
        Session session = connection.createSession();
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        CompletableFuture<String> answered = new CompletableFuture<>();
        Queue answers = jms.queue();
        session.createConsumer(queue).setMessageListener(message -> {
            entered.countDown();
            try {
                leave.await();
                Jms.send(session, answers, "answer");
                answered.complete("sent");
            } catch (Exception e) {
                answered.completeExceptionally(e);
            }
        });
        jms.send(queue, "a", "b");
        assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Void> stopping = CompletableFuture.runAsync(() -> {
            try {
                connection.stop();
            } catch (JMSException e) {
                throw new AssertionError(e);
            }
        });
        assertThat(stopping).isNotDone();
        leave.countDown();
        stopping.get(10, TimeUnit.SECONDS);

        assertThat(answered).isCompletedWithValue("sent");
        assertThat(text(jms.session().createConsumer(answers))).isEqualTo("answer");
        assertThat(text(jms.session().createConsumer(queue))).isEqualTo("b");
    }

    @Test
    @Covers(sections = "6.1.6", rules = 36)
    void shouldSayWhatItIs(Jms jms) throws JMSException {
        ConnectionMetaData data = jms.connect().getMetaData();

        assertThat(data.getJMSVersion()).isEqualTo("3.1");
        assertThat(data.getJMSMajorVersion()).isEqualTo(3);
        assertThat(data.getJMSMinorVersion()).isEqualTo(1);
        assertThat(data.getJMSProviderName()).isEqualTo("MetaQ");
        assertThat(data.getProviderVersion())
                .startsWith(data.getProviderMajorVersion() + "." + data.getProviderMinorVersion());
        assertThat(jms.context().getMetaData().getJMSVersion()).isEqualTo("3.1");
    }

    @Test
    @Covers(sections = "6.1.7")
    void shouldKeepItsExceptionListener(Jms jms) throws JMSException {
        Connection connection = jms.connect();
        ExceptionListener listener = e -> {};
        assertThat(connection.getExceptionListener()).isNull();
        connection.setExceptionListener(listener);

        assertThat(connection.getExceptionListener()).isSameAs(listener);
        connection.setExceptionListener(null);
        assertThat(connection.getExceptionListener()).isNull();
    }

    @Test
    @Covers(sections = "5.3")
    void shouldRefuseAtOnceWhenNoBrokerListens() {
        MetaQConnectionFactory factory =
                new MetaQConnectionFactory("metaq://127.0.0.1:1?connectTimeout=500&requestTimeout=500");

        assertThatThrownBy(factory::createConnection)
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("127.0.0.1:1");
        assertThatThrownBy(factory::createContext).isInstanceOf(jakarta.jms.JMSRuntimeException.class);
    }

    @Test
    @Covers(sections = "6.2.1")
    void shouldTakeOnlySessionModesThatExist(Jms jms) throws JMSException {
        Connection connection = jms.connect();

        assertThat(connection.createSession(true, 77).getAcknowledgeMode()).isEqualTo(Session.SESSION_TRANSACTED);
        assertThat(connection.createSession(false, Session.DUPS_OK_ACKNOWLEDGE).getAcknowledgeMode())
                .isEqualTo(Session.DUPS_OK_ACKNOWLEDGE);
        assertThat(connection.createSession().getTransacted()).isFalse();
        assertThatThrownBy(() -> connection.createSession(false, 77)).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> connection.createSession(77)).isInstanceOf(JMSException.class);
        assertThat(jms.context(JMSContext.SESSION_TRANSACTED).getTransacted()).isTrue();
    }
}
