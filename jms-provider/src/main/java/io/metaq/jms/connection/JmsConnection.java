package io.metaq.jms.connection;

import io.metaq.jms.consumer.IdleWatch;
import io.metaq.jms.destination.MetaQDestination;
import io.metaq.jms.failure.Deadline;
import io.metaq.jms.failure.Failures;
import io.metaq.jms.option.ConnectionOption;
import io.metaq.jms.option.ConnectionOptions;
import io.metaq.jms.session.AcknowledgeMode;
import io.metaq.jms.session.Attachments;
import io.metaq.jms.session.Domain;
import io.metaq.jms.session.JmsSession;
import io.metaq.jms.transport.ConnectionScope;
import jakarta.jms.ConnectionConsumer;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.Destination;
import jakarta.jms.ExceptionListener;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A connection, for queues and topics alike. Stopped when made; started and stopped at will; closed once. */
public class JmsConnection implements QueueConnection, TopicConnection {

    private final ConnectionScope scope;
    private final Domain domain;
    private final ClientIdRule clientId;
    private final IdleWatch idleWatch;
    private final Set<JmsSession> sessions = ConcurrentHashMap.newKeySet();
    private final Set<JmsConnectionConsumer> consumers = ConcurrentHashMap.newKeySet();
    private final AtomicInteger sessionNumbers = new AtomicInteger();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private final Object startAndStop = new Object();
    private boolean started;

    JmsConnection(ConnectionScope scope, Domain domain) {
        this.scope = scope;
        this.domain = domain;
        this.clientId = new ClientIdRule(scope.identity(), scope.transport());
        this.idleWatch = new IdleWatch(scope.timer());
    }

    /**
     * Connects, logs in, and claims the client id if one is configured.
     *
     * @throws jakarta.jms.JMSSecurityException when the broker does not accept the user
     * @throws jakarta.jms.InvalidClientIDException when the configured client id is in use
     */
    public static JmsConnection open(
            ConnectionOptions options, Domain domain, @Nullable String user, @Nullable String password)
            throws JMSException {
        return open(options, user, password, scope -> new JmsConnection(scope, domain));
    }

    static <C extends JmsConnection> C open(
            ConnectionOptions options,
            @Nullable String user,
            @Nullable String password,
            Function<ConnectionScope, C> maker)
            throws JMSException {
        ScopeOpening opening = new ScopeOpening(options);
        C opened = maker.apply(opening.open(user, password));
        JmsConnection connection = opened;
        opening.whenGivenUp(connection::givenUp);
        String configured = options.text(ConnectionOption.CLIENT_ID);
        if (configured != null) {
            try {
                connection.clientId.configured(configured);
            } catch (JMSException e) {
                connection.close();
                throw e;
            }
        }
        return opened;
    }

    // ---- sessions

    /** A session of any mode, the extensions included. */
    public JmsSession open(int mode, Domain sessionDomain) throws JMSException {
        use();
        AcknowledgeMode known = AcknowledgeMode.of(mode);
        JmsSession session = new JmsSession(
                scope, idleWatch, known, sessionDomain, nextSession(), this::deleteTemporary, this::forget);
        return add(session);
    }

    final int nextSession() {
        return sessionNumbers.getAndIncrement();
    }

    final void forget(JmsSession session) {
        sessions.remove(session);
    }

    final IdleWatch idleWatch() {
        return idleWatch;
    }

    final Domain domain() {
        return domain;
    }

    /** Takes a new session under its wing. */
    final <S extends JmsSession> S add(S session) throws JMSException {
        synchronized (startAndStop) {
            sessions.add(session);
            if (started) {
                session.start();
            }
        }
        if (closing.get()) {
            session.close(Deadline.in(0));
            throw Failures.closed("connection");
        }
        return session;
    }

    private static int mode(boolean transacted, int acknowledgeMode) throws JMSException {
        if (!transacted && acknowledgeMode == Session.SESSION_TRANSACTED) {
            throw new JMSException("a session that is not transacted needs an acknowledge mode");
        }
        return transacted ? Session.SESSION_TRANSACTED : acknowledgeMode;
    }

    @Override
    public Session createSession() throws JMSException {
        return open(Session.AUTO_ACKNOWLEDGE, domain);
    }

    @Override
    public Session createSession(int mode) throws JMSException {
        return open(mode, domain);
    }

    @Override
    public Session createSession(boolean transacted, int acknowledgeMode) throws JMSException {
        use();
        return open(mode(transacted, acknowledgeMode), domain);
    }

    @Override
    public QueueSession createQueueSession(boolean transacted, int acknowledgeMode) throws JMSException {
        use();
        return open(mode(transacted, acknowledgeMode), Domain.QUEUE);
    }

    @Override
    public TopicSession createTopicSession(boolean transacted, int acknowledgeMode) throws JMSException {
        use();
        return open(mode(transacted, acknowledgeMode), Domain.TOPIC);
    }

    // ---- who it is

    @Override
    public @Nullable String getClientID() throws JMSException {
        checkOpen();
        return scope.identity().clientId();
    }

    @Override
    public void setClientID(@Nullable String id) throws JMSException {
        checkOpen();
        clientId.set(id);
    }

    @Override
    public ConnectionMetaData getMetaData() throws JMSException {
        use();
        return new MetaData();
    }

    @Override
    public @Nullable ExceptionListener getExceptionListener() throws JMSException {
        use();
        return scope.reports().listener();
    }

    @Override
    public void setExceptionListener(@Nullable ExceptionListener listener) throws JMSException {
        use();
        scope.reports().setListener(listener);
    }

    /** What its sessions and contexts share. */
    public ConnectionScope scope() {
        return scope;
    }

    /** @throws IllegalStateException when it is closed */
    public void checkOpen() throws JMSException {
        if (closing.get()) {
            throw Failures.closed("connection");
        }
    }

    final void use() throws JMSException {
        checkOpen();
        clientId.used();
    }

    // ---- life

    @Override
    public void start() throws JMSException {
        use();
        synchronized (startAndStop) {
            started = true;
            sessions.forEach(JmsSession::start);
            consumers.forEach(JmsConnectionConsumer::start);
        }
    }

    /** Waits for running listeners, and until the broker has back what was not shown. */
    @Override
    public void stop() throws JMSException {
        use();
        for (JmsSession session : sessions) {
            session.refuseInListener("stop of a connection");
        }
        List<CompletableFuture<Void>> steps = new ArrayList<>();
        synchronized (startAndStop) {
            started = false;
            sessions.forEach(session -> steps.addAll(session.stop()));
            consumers.forEach(consumer -> steps.add(consumer.stop()));
        }
        Deadline deadline = scope.closing();
        sessions.forEach(session -> session.awaitStopped(deadline));
        steps.forEach(step -> deadline.awaitCalmly(step, "stop"));
    }

    @Override
    public void close() throws JMSException {
        // Also when another thread closes it already: that one waits for this very listener. Closed, it has no sessions
        // left.
        for (JmsSession session : sessions) {
            session.refuseInCallbacks("close of a connection");
        }
        Deadline deadline = scope.closing();
        if (!closing.compareAndSet(false, true)) {
            deadline.awaitCalmly(closed, "close of a connection by another thread");
            return;
        }
        try {
            sessions.forEach(JmsSession::beginClose);
            consumers.forEach(consumer -> consumer.close(deadline));
            sessions.forEach(session -> session.close(deadline));
        } finally {
            scope.transport().close(deadline);
            scope.timer().close();
            scope.callbacks().close();
            closed.complete(null);
        }
    }

    private void givenUp(JMSException cause) {
        sessions.forEach(session -> session.fail(cause));
        scope.reports().report(cause);
    }

    final void deleteTemporary(MetaQDestination temporary) throws JMSException {
        checkOpen();
        for (JmsSession session : sessions) {
            if (session.consumesFrom(temporary)) {
                throw new IllegalStateException(temporary + " has consumers: close them first");
            }
        }
        scope.destinations().deleteTemporary(temporary);
    }

    // ---- consumers of the connection itself

    @Override
    public ConnectionConsumer createConnectionConsumer(
            @Nullable Destination from, @Nullable String selector, ServerSessionPool pool, int maxMessages)
            throws JMSException {
        use();
        return consume(pool, maxMessages, attachments -> attachments.plain(from, selector, false));
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(
            @Nullable Queue queue, @Nullable String selector, ServerSessionPool pool, int maxMessages)
            throws JMSException {
        return createConnectionConsumer((Destination) queue, selector, pool, maxMessages);
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(
            @Nullable Topic topic, @Nullable String selector, ServerSessionPool pool, int maxMessages)
            throws JMSException {
        return createConnectionConsumer((Destination) topic, selector, pool, maxMessages);
    }

    @Override
    public ConnectionConsumer createSharedConnectionConsumer(
            @Nullable Topic topic,
            @Nullable String name,
            @Nullable String selector,
            ServerSessionPool pool,
            int maxMessages)
            throws JMSException {
        refuseTopics("createSharedConnectionConsumer");
        return consume(pool, maxMessages, attachments -> attachments.shared(topic, name, selector));
    }

    @Override
    public ConnectionConsumer createDurableConnectionConsumer(
            @Nullable Topic topic,
            @Nullable String name,
            @Nullable String selector,
            ServerSessionPool pool,
            int maxMessages)
            throws JMSException {
        refuseTopics("createDurableConnectionConsumer");
        return consume(pool, maxMessages, attachments -> attachments.durable(topic, name, selector, false));
    }

    @Override
    public ConnectionConsumer createSharedDurableConnectionConsumer(
            @Nullable Topic topic,
            @Nullable String name,
            @Nullable String selector,
            ServerSessionPool pool,
            int maxMessages)
            throws JMSException {
        refuseTopics("createSharedDurableConnectionConsumer");
        return consume(pool, maxMessages, attachments -> attachments.sharedDurable(topic, name, selector));
    }

    private void refuseTopics(String what) throws JMSException {
        use();
        if (domain == Domain.QUEUE) {
            throw new IllegalStateException(what + " is not for a QueueConnection");
        }
    }

    @FunctionalInterface
    private interface Choice {
        Attachments.Wanted of(Attachments attachments) throws JMSException;
    }

    private ConnectionConsumer consume(@Nullable ServerSessionPool pool, int maxMessages, Choice choice)
            throws JMSException {
        if (pool == null || maxMessages < 1) {
            throw new JMSException(
                    "a connection consumer needs a pool of server sessions and at least one message each");
        }
        Attachments.Wanted wanted = choice.of(new Attachments(scope));
        JmsConnectionConsumer consumer =
                new JmsConnectionConsumer(scope, idleWatch, wanted, pool, maxMessages, consumers::remove);
        synchronized (startAndStop) {
            consumers.add(consumer);
            if (started) {
                consumer.start();
            }
        }
        return consumer;
    }
}
