package io.metaq.jms.session;

import io.metaq.client.subscription.Delivery;
import io.metaq.jms.consumer.IdleWatch;
import io.metaq.jms.consumer.Intake;
import io.metaq.jms.destination.MetaQDestination;
import io.metaq.jms.destination.MetaQQueue;
import io.metaq.jms.destination.MetaQTopic;
import io.metaq.jms.destination.TemporaryOwner;
import io.metaq.jms.failure.Deadline;
import io.metaq.jms.producer.JmsProducer;
import io.metaq.jms.producer.JmsQueueSender;
import io.metaq.jms.producer.JmsTopicPublisher;
import io.metaq.jms.transport.ConnectionScope;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.QueueReceiver;
import jakarta.jms.QueueSender;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.Topic;
import jakarta.jms.TopicPublisher;
import jakarta.jms.TopicSubscriber;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A session, as the API has it; what it does is in the classes around. */
public class JmsSession extends MessageMaking {

    private record Loaded(Intake intake, Delivery delivery) {}

    private final ConnectionScope scope;
    private final Domain domain;
    private final TemporaryOwner temporaries;
    private final Consumer<JmsSession> whenClosed;
    private final SessionCore core;
    private final Subscribing subscribing;
    private final ConcurrentLinkedQueue<Loaded> loaded = new ConcurrentLinkedQueue<>();
    private volatile @Nullable MessageListener distinguished;

    /**
     * @param number of the session in its connection
     * @param temporaries who deletes temporary destinations
     * @param whenClosed told once
     */
    public JmsSession(
            ConnectionScope scope,
            IdleWatch idleWatch,
            AcknowledgeMode mode,
            Domain domain,
            int number,
            TemporaryOwner temporaries,
            Consumer<JmsSession> whenClosed) {
        this.scope = scope;
        this.domain = domain;
        this.temporaries = temporaries;
        this.whenClosed = whenClosed;
        this.core = new SessionCore(scope, idleWatch, mode, number);
        this.subscribing = new Subscribing(core, scope);
    }

    final SessionCore core() {
        return core;
    }

    // ---- life, called by the connection

    /** Lets messages flow. */
    public void start() {
        core.start();
    }

    /** Lets none flow any more. @return complete when the broker has back what was not shown */
    public List<CompletableFuture<Void>> stop() {
        return core.stop();
    }

    /** Waits until no listener runs. */
    public void awaitStopped(Deadline deadline) {
        core.awaitStopped(deadline);
    }

    /** The connection is lost for good. */
    public void fail(JMSException cause) {
        core.fail(cause);
    }

    /** Wakes everybody who waits in it: a close comes. */
    public void beginClose() {
        core.beginClose();
    }

    /** Closes within the deadline, whoever waits for what. */
    public void close(Deadline deadline) {
        core.close(deadline);
        whenClosed.accept(this);
    }

    /** @throws IllegalStateException within a listener of this session, message or completion */
    public void refuseInCallbacks(String what) throws JMSException {
        core.refuseInCallbacks(what);
    }

    /** @throws IllegalStateException within a message listener of this session */
    public void refuseInListener(String what) throws JMSException {
        core.refuseInListener(what);
    }

    /** Whether an open consumer of this session consumes from the destination; those that linger are ended. */
    public boolean consumesFrom(MetaQDestination destination) {
        core.consumers().giveUpLingering(destination.name());
        return core.consumers().consumesFrom(destination.name());
    }

    /** How messages are acknowledged. */
    public AcknowledgeMode mode() {
        return core.mode();
    }

    /** Acknowledges everything that was received, where that is the application's to do. */
    public void acknowledge() throws JMSException {
        checkOpen();
        core.acknowledgements().acknowledgeAll();
    }

    @Override
    public void checkOpen() throws JMSException {
        core.checkOpen();
    }

    @Override
    public void close() throws JMSException {
        core.refuseInCallbacks("close of a session");
        close(scope.closing());
    }

    @Override
    public boolean getTransacted() throws JMSException {
        checkOpen();
        return core.mode() == AcknowledgeMode.TRANSACTED;
    }

    @Override
    public int getAcknowledgeMode() throws JMSException {
        checkOpen();
        return core.mode().number();
    }

    @Override
    public void commit() throws JMSException {
        checkTransacted(true, "commit");
        core.sends().completions().refuseInCallback("commit");
        core.transaction().commit();
    }

    @Override
    public void rollback() throws JMSException {
        checkTransacted(true, "rollback");
        core.sends().completions().refuseInCallback("rollback");
        core.transaction().rollback();
    }

    @Override
    public void recover() throws JMSException {
        checkTransacted(false, "recover");
        core.rewindAll();
    }

    private void checkTransacted(boolean wanted, String what) throws JMSException {
        checkOpen();
        if ((core.mode() == AcknowledgeMode.TRANSACTED) != wanted) {
            throw new IllegalStateException(what + " is " + (wanted ? "only" : "not") + " for transacted sessions");
        }
    }

    // ---- the session of an application server

    @Override
    public @Nullable MessageListener getMessageListener() throws JMSException {
        checkOpen();
        return distinguished;
    }

    @Override
    public void setMessageListener(@Nullable MessageListener listener) throws JMSException {
        checkOpen();
        distinguished = listener;
    }

    /** Gives it a message that a connection's consumer took in, for the next {@link #run}. */
    public void load(Intake intake, Delivery delivery) {
        loaded.add(new Loaded(intake, delivery));
    }

    /** Calls the session's own listener with what was loaded. */
    @Override
    public void run() {
        for (Loaded next = loaded.poll(); next != null; next = loaded.poll()) {
            MessageListener listener = distinguished;
            if (listener == null) {
                next.intake.reject(Intake.range(next.delivery));
                next.intake.settled(1);
            } else {
                core.deliverHere(next.intake, next.delivery, listener);
            }
        }
        core.acknowledgements().flushLazy();
    }

    // ---- destinations

    @Override
    public Queue createQueue(@Nullable String name) throws JMSException {
        domain.refuseQueues("createQueue");
        return new MetaQQueue(named(name));
    }

    @Override
    public Topic createTopic(@Nullable String name) throws JMSException {
        domain.refuseTopics("createTopic");
        return new MetaQTopic(named(name));
    }

    private String named(@Nullable String name) throws JMSException {
        checkOpen();
        if (name == null || name.isEmpty()) {
            throw new InvalidDestinationException("a destination needs a name");
        }
        return name;
    }

    @Override
    public TemporaryQueue createTemporaryQueue() throws JMSException {
        checkOpen();
        domain.refuseQueues("createTemporaryQueue");
        return (TemporaryQueue) scope.destinations().createTemporary(true, temporaries);
    }

    @Override
    public TemporaryTopic createTemporaryTopic() throws JMSException {
        checkOpen();
        domain.refuseTopics("createTemporaryTopic");
        return (TemporaryTopic) scope.destinations().createTemporary(false, temporaries);
    }

    // ---- out

    @Override
    public MessageProducer createProducer(@Nullable Destination to) throws JMSException {
        MetaQDestination destination = target(to);
        if (destination == null) {
            return core.opened(new JmsProducer(core, null));
        }
        return core.opened(
                destination.isQueue()
                        ? new JmsQueueSender(core, destination)
                        : new JmsTopicPublisher(core, destination));
    }

    @Override
    public QueueSender createSender(@Nullable Queue queue) throws JMSException {
        domain.refuseQueues("createSender");
        return core.opened(new JmsQueueSender(core, target(queue)));
    }

    @Override
    public TopicPublisher createPublisher(@Nullable Topic topic) throws JMSException {
        domain.refuseTopics("createPublisher");
        return core.opened(new JmsTopicPublisher(core, target(topic)));
    }

    private @Nullable MetaQDestination target(@Nullable Destination to) throws JMSException {
        checkOpen();
        MetaQDestination destination = MetaQDestination.from(to);
        if (to != null && destination == null) {
            throw new InvalidDestinationException(to + " is neither a queue nor a topic");
        }
        if (destination != null) {
            scope.destinations().ensure(destination);
        }
        return destination;
    }

    // ---- in

    @Override
    public MessageConsumer createConsumer(@Nullable Destination from) throws JMSException {
        return createConsumer(from, null, false);
    }

    @Override
    public MessageConsumer createConsumer(@Nullable Destination from, @Nullable String selector) throws JMSException {
        return createConsumer(from, selector, false);
    }

    @Override
    public MessageConsumer createConsumer(@Nullable Destination from, @Nullable String selector, boolean noLocal)
            throws JMSException {
        return subscribing.consumer(from, selector, noLocal);
    }

    @Override
    public QueueReceiver createReceiver(@Nullable Queue queue) throws JMSException {
        return createReceiver(queue, null);
    }

    @Override
    public QueueReceiver createReceiver(@Nullable Queue queue, @Nullable String selector) throws JMSException {
        domain.refuseQueues("createReceiver");
        return (QueueReceiver) createConsumer(queue, selector);
    }

    @Override
    public TopicSubscriber createSubscriber(@Nullable Topic topic) throws JMSException {
        return createSubscriber(topic, null, false);
    }

    @Override
    public TopicSubscriber createSubscriber(@Nullable Topic topic, @Nullable String selector, boolean noLocal)
            throws JMSException {
        domain.refuseTopics("createSubscriber");
        return (TopicSubscriber) createConsumer(topic, selector, noLocal);
    }

    @Override
    public MessageConsumer createSharedConsumer(@Nullable Topic topic, @Nullable String name) throws JMSException {
        return createSharedConsumer(topic, name, null);
    }

    @Override
    public MessageConsumer createSharedConsumer(@Nullable Topic topic, @Nullable String name, @Nullable String selector)
            throws JMSException {
        checkOpen();
        domain.refuseTopics("createSharedConsumer");
        return subscribing.shared(topic, name, selector);
    }

    @Override
    public TopicSubscriber createDurableSubscriber(@Nullable Topic topic, @Nullable String name) throws JMSException {
        return createDurableSubscriber(topic, name, null, false);
    }

    @Override
    public TopicSubscriber createDurableSubscriber(
            @Nullable Topic topic, @Nullable String name, @Nullable String selector, boolean noLocal)
            throws JMSException {
        checkOpen();
        domain.refuseTopics("createDurableSubscriber");
        return subscribing.durable(topic, name, selector, noLocal);
    }

    @Override
    public MessageConsumer createDurableConsumer(@Nullable Topic topic, @Nullable String name) throws JMSException {
        return createDurableConsumer(topic, name, null, false);
    }

    @Override
    public MessageConsumer createDurableConsumer(
            @Nullable Topic topic, @Nullable String name, @Nullable String selector, boolean noLocal)
            throws JMSException {
        checkOpen();
        domain.refuseTopics("createDurableConsumer");
        return subscribing.durable(topic, name, selector, noLocal);
    }

    @Override
    public MessageConsumer createSharedDurableConsumer(@Nullable Topic topic, @Nullable String name)
            throws JMSException {
        return createSharedDurableConsumer(topic, name, null);
    }

    @Override
    public MessageConsumer createSharedDurableConsumer(
            @Nullable Topic topic, @Nullable String name, @Nullable String selector) throws JMSException {
        checkOpen();
        domain.refuseTopics("createSharedDurableConsumer");
        return subscribing.sharedDurable(topic, name, selector);
    }

    @Override
    public QueueBrowser createBrowser(@Nullable Queue queue) throws JMSException {
        return createBrowser(queue, null);
    }

    @Override
    public QueueBrowser createBrowser(@Nullable Queue queue, @Nullable String selector) throws JMSException {
        checkOpen();
        domain.refuseQueues("createBrowser");
        return subscribing.browser(queue, selector);
    }

    @Override
    public TopicBrowser createTopicBrowser(@Nullable Topic topic, @Nullable String selector) throws JMSException {
        checkOpen();
        domain.refuseTopics("createTopicBrowser");
        return subscribing.topicBrowser(topic, selector);
    }

    @Override
    public void seek(String name, SubscriptionPosition to) throws JMSException {
        checkOpen();
        domain.refuseTopics("seek");
        subscribing.seek(name, to);
    }

    @Override
    public void unsubscribe(@Nullable String name) throws JMSException {
        checkOpen();
        domain.refuseTopics("unsubscribe");
        subscribing.unsubscribe(name);
    }
}
