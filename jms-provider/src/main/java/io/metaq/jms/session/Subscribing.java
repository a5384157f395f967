package io.metaq.jms.session;

import io.metaq.client.MetaqException;
import io.metaq.client.TopicPartition;
import io.metaq.jms.consumer.Intake;
import io.metaq.jms.consumer.JmsBrowser;
import io.metaq.jms.consumer.JmsConsumer;
import io.metaq.jms.consumer.JmsQueueReceiver;
import io.metaq.jms.consumer.JmsTopicSubscriber;
import io.metaq.jms.destination.MetaQQueue;
import io.metaq.jms.failure.Failures;
import io.metaq.jms.transport.ConnectionScope;
import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.Topic;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes a session's consumers and browsers. */
final class Subscribing {

    private final SessionCore session;
    private final ConnectionScope scope;
    private final Attachments attachments;

    Subscribing(SessionCore session, ConnectionScope scope) {
        this.session = session;
        this.scope = scope;
        this.attachments = new Attachments(scope);
    }

    /** A consumer of a queue, or of a topic by a subscription of its own. */
    JmsConsumer consumer(@Nullable Destination from, @Nullable String selector, boolean noLocal) throws JMSException {
        session.checkOpen();
        Attachments.Wanted wanted = attachments.plain(from, selector, noLocal);
        if (!wanted.destination().isQueue()) {
            return subscriber(wanted);
        }
        return session.open(
                wanted,
                intake -> new JmsQueueReceiver(
                        session,
                        intake,
                        wanted.destination(),
                        wanted.attachment().selector()));
    }

    JmsTopicSubscriber durable(@Nullable Topic topic, @Nullable String name, @Nullable String selector, boolean noLocal)
            throws JMSException {
        return subscriber(attachments.durable(topic, name, selector, noLocal));
    }

    JmsTopicSubscriber sharedDurable(@Nullable Topic topic, @Nullable String name, @Nullable String selector)
            throws JMSException {
        return subscriber(attachments.sharedDurable(topic, name, selector));
    }

    JmsTopicSubscriber shared(@Nullable Topic topic, @Nullable String name, @Nullable String selector)
            throws JMSException {
        return subscriber(attachments.shared(topic, name, selector));
    }

    private JmsTopicSubscriber subscriber(Attachments.Wanted wanted) throws JMSException {
        return session.open(
                wanted,
                intake -> new JmsTopicSubscriber(
                        session,
                        intake,
                        wanted.destination(),
                        wanted.attachment().selector(),
                        wanted.attachment().noLocal()));
    }

    /** Deletes a durable subscription of this client id. */
    void unsubscribe(@Nullable String name) throws JMSException {
        if (name == null || name.isEmpty()) {
            throw new InvalidDestinationException("a subscription needs a name");
        }
        String full = scope.identity().durable(name);
        scope.transport()
                .answer()
                .await(scope.transport().link().deleteSubscription(full), "unsubscribe from '" + name + "'");
    }

    TopicBrowser topicBrowser(@Nullable Topic topic, @Nullable String selector) throws JMSException {
        RetainedBrowser browser = new RetainedBrowser(
                scope, attachments.retaining(topic), Attachments.selector(selector), session::settleSends);
        session.opened(browser);
        return browser;
    }

    /** Moves a durable subscription of this client id. */
    void seek(String name, SubscriptionPosition to) throws JMSException {
        session.settleSends();
        String full = scope.identity().durable(name);
        List<Intake> consumers = session.consumers().of(full);
        // What waits here was delivered from the old position.
        consumers.forEach(Intake::pause);
        try {
            for (Intake consumer : consumers) {
                scope.transport().answer().await(consumer.quiesce(), "seek in subscription '" + name + "'");
            }
            scope.transport().client().admin().subscriptions().seek(full, to.text(), TopicPartition.ANY);
        } catch (MetaqException e) {
            throw Failures.of(e, "seek in subscription '" + name + "'");
        } finally {
            consumers.forEach(Intake::resume);
        }
    }

    JmsBrowser browser(@Nullable Queue queue, @Nullable String selector) throws JMSException {
        Attachments.Wanted wanted = attachments.browse(queue, selector);
        if (!(wanted.destination() instanceof MetaQQueue browsed)) {
            throw new InvalidDestinationException(wanted.destination() + " is not a queue");
        }
        JmsBrowser browser = new JmsBrowser(
                browsed,
                scope.transport(),
                wanted.attachment(),
                delivery -> Decoding.message(scope.decoder(), browsed, delivery),
                session::settleSends);
        session.opened(browser);
        return browser;
    }
}
