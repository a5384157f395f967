package io.metaq.jms.session;

import io.metaq.client.subscription.SubscriberLink;
import io.metaq.jms.producer.Hold;
import io.metaq.jms.transport.Outgoing;
import jakarta.jms.JMSException;
import java.util.List;

/** What a transacted session has sent since the last commit or rollback, in order; when it is much, it goes ahead to the broker. */
final class HeldSends implements Hold {

    /** Where it goes when it is much. */
    interface Ahead {
        /** Whether the broker keeps parts of transactions. */
        boolean isOffered();

        void send(List<Outgoing> messages) throws JMSException;
    }

    private final Ahead ahead;
    private final Piece piece;

    HeldSends(SubscriberLink link, Ahead ahead) {
        this.ahead = ahead;
        this.piece = new Piece(link);
    }

    @Override
    public boolean take(Outgoing message) throws JMSException {
        List<Outgoing> much = takeIfFullFor(message);
        if (!much.isEmpty()) {
            ahead.send(much);
        }
        synchronized (this) {
            piece.add(message);
        }
        return true;
    }

    private synchronized List<Outgoing> takeIfFullFor(Outgoing message) {
        return piece.isFullFor(message) && ahead.isOffered() ? piece.take() : List.of();
    }

    /** What there is; the next transaction begins. */
    synchronized List<Outgoing> takeAll() {
        return piece.take();
    }
}
