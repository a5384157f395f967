package io.metaq.jms.session;

import io.metaq.client.subscription.SubscriberLink;
import io.metaq.client.subscription.TransactionParts;
import io.metaq.jms.transport.Outgoing;
import java.util.ArrayList;
import java.util.List;

/**
 * Messages of a transaction that wait in the client, as many as the broker takes in one step at most. Not safe for use by several
 * threads; the owner synchronises.
 */
final class Piece {

    /** So much waits at most even where the broker takes more. */
    private static final int LIMIT = 4 << 20;

    /** What is written around a message, but for the name of its topic. */
    private static final int OVERHEAD = 64;

    /** Room for the acknowledgements that go with the last messages. */
    private static final int RESERVE = 64 << 10;

    private final SubscriberLink link;
    private List<Outgoing> messages = new ArrayList<>();
    private long bytes;

    Piece(SubscriberLink link) {
        this.link = link;
    }

    /** Whether the message would make it too big. An empty one takes any message. */
    boolean isFullFor(Outgoing message) {
        long limit = Math.min(LIMIT, (long) link.maxTransactionBytes() - RESERVE);
        return !messages.isEmpty() && bytes + size(message) > limit;
    }

    void add(Outgoing message) {
        messages.add(message);
        bytes += size(message);
    }

    private static long size(Outgoing message) {
        return (long) message.data().length + 3L * message.destination().name().length() + OVERHEAD;
    }

    /** What it has, in order; a new one begins. */
    List<Outgoing> take() {
        List<Outgoing> taken = messages;
        messages = new ArrayList<>();
        bytes = 0;
        return taken;
    }

    /** As a request of the client. */
    static TransactionParts parts(List<Outgoing> messages, Unsettled acknowledged) {
        TransactionParts parts = new TransactionParts();
        messages.forEach(message ->
                parts.send(message.destination().name(), message.partition(), message.flag(), message.data()));
        acknowledged.ranges().forEach((intake, ranges) -> parts.acknowledge(intake.consumer(), ranges));
        return parts;
    }
}
