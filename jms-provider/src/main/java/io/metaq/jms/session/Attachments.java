package io.metaq.jms.session;

import io.metaq.client.subscription.Attachment;
import io.metaq.jms.consumer.Intake;
import io.metaq.jms.consumer.Rivals;
import io.metaq.jms.destination.MetaQDestination;
import io.metaq.jms.destination.MetaQTopic;
import io.metaq.jms.failure.Failures;
import io.metaq.jms.transport.ConnectionScope;
import io.metaq.jms.transport.Transport;
import io.metaq.message.Selector;
import io.metaq.protocol.AttachKind;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.Topic;
import org.jspecify.annotations.Nullable;

/**
 * What consumers and browsers attach to. Checks what can be checked here and names the subscription; the rules of subscriptions are the
 * broker's.
 */
public final class Attachments {

    /** A subscription and the destination behind it. */
    public record Wanted(MetaQDestination destination, Attachment attachment) {

        /** Who else could get what is delivered here. */
        public Rivals rivals() {
            if (attachment.kind() == AttachKind.EXCLUSIVE || destination.isTemporary() && destination.isQueue()) {
                return Rivals.NONE;
            }
            return attachment.kind().shared() ? Rivals.OTHERS : Rivals.LATER;
        }
    }

    private final ConnectionScope scope;

    public Attachments(ConnectionScope scope) {
        this.scope = scope;
    }

    /**
     * Attaches.
     *
     * @throws JMSException as {@link Failures#ofAttach}
     */
    public static void attach(Transport transport, Attachment wanted, Intake intake) throws JMSException {
        try {
            intake.attached(
                    transport.answer().await(transport.link().attach(wanted, intake), "consume from " + wanted.name()));
        } catch (JMSException e) {
            throw Failures.ofAttach(Failures.causeOf(e), "consume from " + wanted.name());
        }
    }

    /** A queue, or a subscription to a topic that is its consumer's own and ends with it. */
    public Wanted plain(@Nullable Destination from, @Nullable String selector, boolean noLocal) throws JMSException {
        MetaQDestination destination = usable(from);
        String checked = checked(selector);
        if (destination.isQueue()) {
            String name = "queue:" + destination.name();
            return new Wanted(
                    destination, new Attachment(name, destination.name(), AttachKind.QUEUE, checked, false, null));
        }
        return topic(destination, scope.identity().unique("consumer"), AttachKind.EXCLUSIVE, checked, noLocal);
    }

    /** A durable subscription with one consumer at a time. */
    public Wanted durable(@Nullable Topic topic, @Nullable String name, @Nullable String selector, boolean noLocal)
            throws JMSException {
        MetaQDestination destination = lasting(topic);
        if (scope.identity().clientId() == null) {
            throw new IllegalStateException("a durable subscription that is not shared needs a client id");
        }
        String full = scope.identity().durable(named(name));
        return topic(destination, full, AttachKind.DURABLE, checked(selector), noLocal);
    }

    /** A durable subscription with any number of consumers. */
    public Wanted sharedDurable(@Nullable Topic topic, @Nullable String name, @Nullable String selector)
            throws JMSException {
        MetaQDestination destination = lasting(topic);
        String full = scope.identity().durable(named(name));
        return topic(destination, full, AttachKind.SHARED_DURABLE, checked(selector), false);
    }

    /** A subscription with any number of consumers that ends with the last of them. */
    public Wanted shared(@Nullable Topic topic, @Nullable String name, @Nullable String selector) throws JMSException {
        MetaQDestination destination = usable(topic);
        String full = scope.identity().shared(named(name));
        return topic(destination, full, AttachKind.SHARED, checked(selector), false);
    }

    /** A look at a queue. */
    Wanted browse(@Nullable Queue queue, @Nullable String selector) throws JMSException {
        MetaQDestination destination = usable(queue);
        String name = "queue:" + destination.name();
        return new Wanted(
                destination,
                new Attachment(name, destination.name(), AttachKind.BROWSE, checked(selector), false, null));
    }

    private Wanted topic(
            MetaQDestination topic, String name, AttachKind kind, @Nullable String selector, boolean noLocal) {
        String origin = scope.identity().origin();
        return new Wanted(topic, new Attachment(name, topic.name(), kind, selector, noLocal, origin));
    }

    /** A topic that retains messages. */
    MetaQTopic retaining(@Nullable Topic topic) throws JMSException {
        if (usable(topic) instanceof MetaQTopic found && !found.isTemporary()) {
            return found;
        }
        throw new InvalidDestinationException(topic + " retains nothing");
    }

    private MetaQDestination usable(@Nullable Destination from) throws JMSException {
        MetaQDestination destination = MetaQDestination.from(from);
        if (destination == null) {
            throw new InvalidDestinationException(
                    from == null ? "the destination is null" : from + " is neither a queue nor a topic");
        }
        scope.destinations().checkConsumable(destination);
        scope.destinations().ensure(destination);
        return destination;
    }

    private MetaQDestination lasting(@Nullable Topic topic) throws JMSException {
        MetaQDestination destination = usable(topic);
        if (destination.isTemporary()) {
            throw new InvalidDestinationException("a durable subscription would outlive " + destination);
        }
        return destination;
    }

    private static String named(@Nullable String name) throws JMSException {
        if (name == null || name.isEmpty()) {
            throw new JMSException("a subscription needs a name");
        }
        return name;
    }

    private static @Nullable String checked(@Nullable String selector) throws JMSException {
        Selector parsed = selector(selector);
        return parsed == null ? null : parsed.text();
    }

    /** Null and blank mean none. */
    static @Nullable Selector selector(@Nullable String text) throws JMSException {
        if (text == null || text.isBlank()) {
            return null;
        }
        try {
            return Selector.parse(text);
        } catch (io.metaq.message.InvalidSelectorException e) {
            throw Failures.because(new InvalidSelectorException(e.getMessage()), e);
        }
    }
}
