package io.metaq.jms.destination;

import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.Topic;
import java.io.Serializable;
import javax.naming.NamingException;
import javax.naming.Reference;
import javax.naming.Referenceable;
import javax.naming.StringRefAddr;
import org.jspecify.annotations.Nullable;

/**
 * A queue or topic by its name. A value: two are equal when kind and name are. Making one asks no broker for anything.
 *
 * <p>The name is the name of the MetaQ topic that stores the messages. The text form is {@code queue://NAME}, {@code topic://NAME},
 * {@code temp-queue://NAME} or {@code temp-topic://NAME}; it is what a message's JMSReplyTo carries.
 */
public abstract class MetaQDestination implements Destination, Referenceable, Serializable {

    /** What a destination is. */
    public enum Kind {
        QUEUE("queue://", true, false),
        TOPIC("topic://", false, false),
        TEMPORARY_QUEUE("temp-queue://", true, true),
        TEMPORARY_TOPIC("temp-topic://", false, true);

        private final String scheme;
        private final boolean queue;
        private final boolean temporary;

        Kind(String scheme, boolean queue, boolean temporary) {
            this.scheme = scheme;
            this.queue = queue;
            this.temporary = temporary;
        }

        public boolean isQueue() {
            return queue;
        }

        public boolean isTemporary() {
            return temporary;
        }
    }

    private static final long serialVersionUID = 1L;

    private final Kind kind;
    private final String name;

    MetaQDestination(Kind kind, String name) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a destination needs a name");
        }
        this.kind = kind;
        this.name = name;
    }

    public final Kind kind() {
        return kind;
    }

    /** The name without the scheme; for a temporary one it begins with {@code temp:}. */
    public final String name() {
        return name;
    }

    public final boolean isQueue() {
        return kind.queue;
    }

    public final boolean isTemporary() {
        return kind.temporary;
    }

    /** Text from which {@link #parse} makes an equal destination. */
    public final String toUri() {
        return kind.scheme + name;
    }

    /**
     * Reads {@link #toUri()}'s text.
     *
     * @throws IllegalArgumentException when the text does not begin with one of the four schemes or has no name
     */
    public static MetaQDestination parse(String uri) {
        for (Kind kind : Kind.values()) {
            if (uri.startsWith(kind.scheme)) {
                return of(kind, uri.substring(kind.scheme.length()));
            }
        }
        throw new IllegalArgumentException("'" + uri
                + "' is not a destination: it begins with queue://, topic://, temp-queue:// or temp-topic://");
    }

    /** A destination of this kind; a temporary one made so cannot be deleted, for no connection is known to own it. */
    public static MetaQDestination of(Kind kind, String name) {
        return switch (kind) {
            case QUEUE -> new MetaQQueue(name);
            case TOPIC -> new MetaQTopic(name);
            case TEMPORARY_QUEUE -> new MetaQTemporaryQueue(name, null);
            case TEMPORARY_TOPIC -> new MetaQTemporaryTopic(name, null);
        };
    }

    /**
     * Our own form of any provider's destination, read through the interfaces only.
     *
     * @return null for null and for objects that are neither queue nor topic
     * @throws InvalidDestinationException when another provider's object has no name
     */
    public static @Nullable MetaQDestination from(@Nullable Destination destination) throws JMSException {
        if (destination == null || destination instanceof MetaQDestination) {
            return (MetaQDestination) destination;
        }
        if (destination instanceof Queue queue) {
            Kind kind = destination instanceof TemporaryQueue ? Kind.TEMPORARY_QUEUE : Kind.QUEUE;
            return of(kind, named(queue.getQueueName()));
        }
        if (destination instanceof Topic topic) {
            Kind kind = destination instanceof TemporaryTopic ? Kind.TEMPORARY_TOPIC : Kind.TOPIC;
            return of(kind, named(topic.getTopicName()));
        }
        return null;
    }

    private static String named(@Nullable String name) throws InvalidDestinationException {
        if (name == null || name.isEmpty()) {
            throw new InvalidDestinationException("the destination has no name");
        }
        return name;
    }

    /**
     * What another naming service stores of it.
     *
     * @throws NamingException when it is temporary: it goes with its connection
     */
    @Override
    public final Reference getReference() throws NamingException {
        if (kind.temporary) {
            throw new NamingException(this + " is temporary and cannot be bound");
        }
        return new Reference(
                (kind.queue ? MetaQQueue.class : MetaQTopic.class).getName(),
                new StringRefAddr("physicalName", name),
                "io.metaq.jms.jndi.MetaQObjectFactory",
                null);
    }

    @Override
    public final boolean equals(@Nullable Object other) {
        return other instanceof MetaQDestination that && kind == that.kind && name.equals(that.name);
    }

    @Override
    public final int hashCode() {
        return 31 * kind.hashCode() + name.hashCode();
    }

    /** The text form, as {@link #toUri()}. */
    @Override
    public final String toString() {
        return toUri();
    }
}
