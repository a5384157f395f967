package io.metaq.jms.transport;

import io.metaq.client.MetaqException;
import io.metaq.jms.destination.MetaQDestination;
import io.metaq.jms.destination.MetaQDestination.Kind;
import io.metaq.jms.destination.MetaQTemporaryQueue;
import io.metaq.jms.destination.MetaQTemporaryTopic;
import io.metaq.jms.destination.TemporaryOwner;
import io.metaq.jms.failure.Deadline;
import io.metaq.jms.failure.Failures;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** The destinations that one connection has used: each is made at the broker when it is used first, and asked for its partitions. */
public final class Destinations {

    private static final int CONFLICT = 409;
    private static final long RETRY_NANOS = 50_000_000;

    private final Transport transport;
    private final String connection;
    private final Map<MetaQDestination, Integer> partitions = new ConcurrentHashMap<>();
    private final Set<String> temporary = ConcurrentHashMap.newKeySet();
    private final AtomicLong temporaries = new AtomicLong();

    /** @param connection this connection's id, which makes the names of temporary destinations unique */
    public Destinations(Transport transport, String connection) {
        this.transport = transport;
        this.connection = connection;
    }

    /**
     * Makes sure that it is there.
     *
     * @return how many partitions it has, at least 1
     * @throws InvalidDestinationException when it must not be made, or is a queue where a topic is wanted or the other way round
     */
    public int ensure(MetaQDestination destination) throws JMSException {
        if (destination.isTemporary()) {
            return 1;
        }
        Integer known = partitions.get(destination);
        return known == null ? first(destination) : known;
    }

    private int first(MetaQDestination destination) throws JMSException {
        try {
            transport
                    .answer()
                    .await(
                            transport.link().ensureDestination(destination.name(), destination.isQueue()),
                            "use " + destination);
        } catch (JMSException e) {
            if (Failures.code(e.getCause()) == CONFLICT) {
                throw Failures.because(new InvalidDestinationException(e.getMessage()), e);
            }
            throw e;
        }
        int usable = Math.max(1, count(destination));
        partitions.put(destination, usable);
        return usable;
    }

    /** Routes come by a connection of their own, which may be lost just now: asked again as long as other calls wait. */
    private int count(MetaQDestination destination) throws JMSException {
        Deadline deadline = transport.answer();
        while (true) {
            try {
                int broker = transport.link().brokerId();
                return (int) transport.client().partitions(destination.name()).stream()
                        .filter(partition -> partition.broker() == broker)
                        .count();
            } catch (MetaqException e) {
                if (!e.isRetriable()
                        || deadline.hasPassed()
                        || Thread.currentThread().isInterrupted()) {
                    throw Failures.of(e, "use " + destination);
                }
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }

    /** The broker says that it is not there any more: it is looked for again when it is used next. */
    public void forget(MetaQDestination destination) {
        partitions.remove(destination);
    }

    /** Makes a temporary destination of this connection. */
    public MetaQDestination createTemporary(boolean queue, TemporaryOwner owner) throws JMSException {
        String name = "temp:" + connection + ":" + temporaries.incrementAndGet();
        temporary.add(name);
        try {
            transport.answer().await(transport.link().createTemporary(name, queue), "create a temporary destination");
        } catch (JMSException e) {
            temporary.remove(name);
            throw e;
        }
        return queue ? new MetaQTemporaryQueue(name, owner) : new MetaQTemporaryTopic(name, owner);
    }

    /** Deletes a temporary destination of this connection; nothing happens when that was done before. */
    public void deleteTemporary(MetaQDestination destination) throws JMSException {
        if (temporary.contains(destination.name())) {
            transport.answer().await(transport.link().deleteTemporary(destination.name()), "delete " + destination);
            temporary.remove(destination.name());
        }
    }

    /** @throws InvalidDestinationException when it is a temporary one that is not this connection's, or is deleted */
    public void checkConsumable(MetaQDestination destination) throws InvalidDestinationException {
        Kind kind = destination.kind();
        if (kind.isTemporary() && !temporary.contains(destination.name())) {
            throw new InvalidDestinationException(destination
                    + " is deleted, or another connection's: only the connection that made it may consume from it");
        }
    }
}
