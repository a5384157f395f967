package io.metaq.jms.session;

import io.metaq.client.subscription.Delivery;
import io.metaq.jms.consumer.ConsumerHost;
import io.metaq.jms.consumer.Gate;
import io.metaq.jms.consumer.IdleWatch;
import io.metaq.jms.consumer.Intake;
import io.metaq.jms.consumer.JmsBrowser;
import io.metaq.jms.consumer.JmsConsumer;
import io.metaq.jms.failure.Deadline;
import io.metaq.jms.failure.Failures;
import io.metaq.jms.message.MetaQMessage;
import io.metaq.jms.option.ConnectionOption;
import io.metaq.jms.producer.Completions;
import io.metaq.jms.producer.Hold;
import io.metaq.jms.producer.JmsProducer;
import io.metaq.jms.producer.ProducerHost;
import io.metaq.jms.producer.SessionSends;
import io.metaq.jms.transport.ConnectionScope;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session's life: started and stopped with its connection, closed once. Joins the roles: what flows in (gate, consumers), what is
 * settled (acknowledgements), what flows out (sends), and who calls the application (listener thread, completions).
 */
final class SessionCore implements ConsumerHost, ProducerHost {

    private static final Logger LOG = LoggerFactory.getLogger(SessionCore.class);

    private final ConnectionScope scope;
    private final AcknowledgeMode mode;
    private final Gate gate = new Gate();
    private final Acknowledgements acknowledgements;
    private final ListenerThread listeners;
    private final ListenerFailures listenerFailures = new ListenerFailures(LOG, System::nanoTime);
    private final Consumers consumers;
    private final SessionSends sends;
    private final HeldSends held;
    private final Transaction transaction;
    private final @Nullable XaWork xa;
    private final Set<JmsProducer> producers = ConcurrentHashMap.newKeySet();
    private final Set<JmsBrowser> browsers = ConcurrentHashMap.newKeySet();
    private final Set<RetainedBrowser> topicBrowsers = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    /** @param number of the session in its connection */
    SessionCore(ConnectionScope scope, IdleWatch idleWatch, AcknowledgeMode mode, int number) {
        this.scope = scope;
        this.mode = mode;
        this.acknowledgements = new Acknowledgements(mode, scope.transport(), scope.timer());
        String name = "metaq-jms-" + scope.identity().id() + "-session-" + number;
        this.listeners = new ListenerThread(gate, name, this::deliver);
        int prefetch = scope.options().number(ConnectionOption.PREFETCH);
        int prefetchBytes = scope.options().number(ConnectionOption.PREFETCH_BYTES);
        this.consumers = new Consumers(
                scope.transport(),
                acknowledgements,
                wanted -> new Intake(
                        wanted.destination(),
                        wanted.rivals(),
                        gate,
                        idleWatch,
                        prefetch,
                        prefetchBytes,
                        listeners::ready));
        Completions completions = new Completions(scope.callbacks().line());
        String local = "jms-" + scope.identity().id() + "-" + number;
        this.transaction = new Transaction(this, scope.transport(), local);
        this.held = new HeldSends(scope.transport().link(), transaction);
        this.xa = mode == AcknowledgeMode.XA ? new XaWork(this, scope.transport()) : null;
        this.sends = new SessionSends(scope, number, hold(), completions);
    }

    private Hold hold() {
        if (xa != null) {
            return xa;
        }
        return mode == AcknowledgeMode.TRANSACTED ? held : Hold.NONE;
    }

    /** What the session does within branches; only for sessions of that mode. */
    XaWork xa() {
        return Objects.requireNonNull(xa);
    }

    /** The session's local transactions. */
    Transaction transaction() {
        return transaction;
    }

    /** What was sent and waits for a local commit. */
    HeldSends held() {
        return held;
    }

    AcknowledgeMode mode() {
        return mode;
    }

    Acknowledgements acknowledgements() {
        return acknowledgements;
    }

    Consumers consumers() {
        return consumers;
    }

    // ---- life

    void start() {
        gate.lock();
        try {
            gate.setOpen(true);
        } finally {
            gate.unlock();
        }
        consumers.intakes().forEach(Intake::started);
    }

    /** Lets nothing flow any more; running listeners and receives go on to their end, see {@link #awaitStopped}. */
    List<CompletableFuture<Void>> stop() {
        gate.lock();
        try {
            gate.setOpen(false);
        } finally {
            gate.unlock();
        }
        return consumers.intakes().stream().map(Intake::quiesce).toList();
    }

    void awaitStopped(Deadline deadline) {
        listeners.awaitIdle(deadline);
    }

    /** The connection is lost for good. */
    void fail(JMSException cause) {
        gate.lock();
        try {
            gate.fail(cause);
        } finally {
            gate.unlock();
        }
    }

    /** Wakes everybody who waits in the session, so that several sessions come to their end at the same time. */
    void beginClose() {
        gate.lock();
        try {
            gate.close();
        } finally {
            gate.unlock();
        }
    }

    /** Closes; what was received and not acknowledged comes again, what was sent and not committed is gone. */
    void close(Deadline deadline) {
        if (!closing.compareAndSet(false, true)) {
            deadline.awaitCalmly(closed, "close of a session by another thread");
            return;
        }
        beginClose();
        try {
            listeners.awaitIdle(deadline);
            if (!sends.completions().isCallback()) {
                sends.completions().await(deadline);
            }
            acknowledgements.flushLazy();
            if (xa != null) {
                xa.sessionCloses();
            }
            List<Shown> shown = acknowledgements.snapshot();
            for (CompletableFuture<Void> step : consumers.detachAll(Unsettled.of(shown))) {
                deadline.awaitCalmly(step, "end a consumer");
            }
            acknowledgements.forget(shown);
            browsers.forEach(JmsBrowser::close);
            topicBrowsers.forEach(RetainedBrowser::close);
            producers.forEach(JmsProducer::sessionClosed);
            deadline.awaitCalmly(transaction.abandon(), "roll back what was sent ahead");
            listeners.awaitEnd(deadline);
        } finally {
            closed.complete(null);
        }
    }

    /** @throws IllegalStateException when it is closed */
    void checkOpen() throws JMSException {
        if (closing.get()) {
            throw Failures.closed("session");
        }
    }

    boolean isClosed() {
        return closed.isDone();
    }

    /** @throws IllegalStateException within a listener of the session, which would have to wait for itself */
    void refuseInCallbacks(String what) throws JMSException {
        refuseInListener(what);
        sends.completions().refuseInCallback(what);
    }

    /** @throws IllegalStateException within a message listener of the session */
    void refuseInListener(String what) throws JMSException {
        if (listeners.isCaller()) {
            throw new IllegalStateException(what + " is not allowed in a message listener of its own");
        }
    }

    // ---- in

    private void deliver(Intake intake, Delivery delivery, MessageListener listener) {
        Shown shown = hold(intake, delivery);
        try {
            listener.onMessage(decode(intake, delivery, shown));
            acknowledgements.processed(shown);
        } catch (JMSException | RuntimeException | Error e) {
            failed(shown, e);
        }
    }

    private Shown hold(Intake intake, Delivery delivery) {
        Shown shown = acknowledgements.hold(intake, delivery);
        if (xa != null) {
            xa.claim(shown);
        }
        return shown;
    }

    private void failed(Shown shown, Throwable failure) {
        listenerFailures.failed(failure);
        boolean ours = mode.isAutomatic() || mode == AcknowledgeMode.XA && !shown.claimed;
        if (ours && acknowledgements.snapshot().contains(shown)) {
            try {
                rewind(List.of(shown), List.of(shown.intake));
            } catch (JMSException e) {
                scope.reports().report(e);
            }
        }
    }

    /** Calls the listener with a message that a connection's consumer took in; on the present thread. */
    void deliverHere(Intake intake, Delivery delivery, MessageListener listener) {
        listeners.runHere(() -> deliver(intake, delivery, listener));
    }

    /** Everything that was shown comes again. */
    void rewindAll() throws JMSException {
        acknowledgements.flushLazy();
        rewind(acknowledgements.snapshot(), consumers.intakes());
    }

    /** These come again, before everything that was not shown. */
    void rewind(List<Shown> messages) throws JMSException {
        rewind(messages, consumers.intakes());
    }

    private void rewind(List<Shown> messages, List<Intake> intakes) throws JMSException {
        Deadline deadline = scope.transport().answer();
        acknowledgements.forget(messages);
        deadline.await(Rewind.start(messages, intakes), "give messages back");
    }

    @Override
    public Message decode(Intake intake, Delivery delivery) throws JMSException {
        return decode(intake, delivery, null);
    }

    private Message decode(Intake intake, Delivery delivery, @Nullable Shown shown) throws JMSException {
        MetaQMessage message = Decoding.message(scope.decoder(), intake.destination(), delivery);
        message.acknowledger(ignored -> acknowledge(shown));
        return message;
    }

    @Override
    public void received(Intake intake, Delivery delivery, Message message) {
        if (acknowledgesAtOnce()) {
            intake.consumer().acknowledge(Intake.range(delivery));
            intake.settled(1);
        } else {
            Shown shown = hold(intake, delivery);
            ((MetaQMessage) message).acknowledger(ignored -> acknowledge(shown));
            acknowledgements.processed(shown);
        }
    }

    private void acknowledge(@Nullable Shown shown) throws JMSException {
        checkOpen();
        if (shown != null) {
            acknowledgements.acknowledgedByApplication(shown);
        }
    }

    @Override
    public boolean mayPutBack() {
        return mode.isAutomatic() || acknowledgesAtOnce();
    }

    private boolean acknowledgesAtOnce() {
        return mode == AcknowledgeMode.AUTO || xa != null && !xa.isInBranch();
    }

    @Override
    public void checkReceive() throws JMSException {
        checkOpen();
        if (listeners.hasListeners()) {
            throw new IllegalStateException("the session's messages go to a listener: receive is not allowed");
        }
    }

    @Override
    public void listen(JmsConsumer consumer, @Nullable MessageListener listener) throws JMSException {
        checkOpen();
        Intake intake = consumer.intake();
        listeners.listen(intake, listener);
        intake.setListening(listener != null);
    }

    @Override
    public void close(JmsConsumer consumer) {
        Deadline deadline = scope.closing();
        Intake intake = consumer.intake();
        intake.close();
        listeners.listen(intake, null);
        listeners.awaitIdle(intake, deadline);
        acknowledgements.flushLazy();
        consumers.closed(consumer);
        // Asked again: what the listener settled meanwhile may have been the last thing to settle.
        deadline.awaitCalmly(intake.close(), "end a consumer");
    }

    /** The consumer of this attachment; one that is closed and waits for its messages to be settled is used again. */
    <C extends JmsConsumer> C open(Attachments.Wanted wanted, Function<Intake, C> maker) throws JMSException {
        settleSends();
        Intake intake = consumers.attach(wanted);
        C consumer = maker.apply(intake);
        consumers.opened(consumer);
        if (closing.get()) {
            consumer.close();
            throw Failures.closed("session");
        }
        return consumer;
    }

    void opened(JmsBrowser browser) {
        browsers.removeIf(JmsBrowser::isClosed);
        browsers.add(browser);
    }

    void opened(RetainedBrowser browser) {
        topicBrowsers.removeIf(RetainedBrowser::isClosed);
        topicBrowsers.add(browser);
    }

    @Override
    public void settleSends() {
        acknowledgements.flushLazy();
        scope.transport().awaitSends(scope.transport().answer());
    }

    @Override
    public Deadline answer() {
        return scope.transport().answer();
    }

    // ---- out

    @Override
    public SessionSends sends() {
        return sends;
    }

    @Override
    public Deadline closing() {
        return scope.closing();
    }

    @Override
    public void closed(JmsProducer producer) {
        producers.remove(producer);
    }

    <P extends JmsProducer> P opened(P producer) {
        producers.add(producer);
        return producer;
    }
}
