package io.metaq.jms.session;

import io.metaq.jms.producer.Hold;
import io.metaq.jms.transport.Outgoing;
import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.List;

/** What a transacted session has sent since the last commit or rollback, in order; when it is much, it goes ahead to the broker. */
final class HeldSends implements Hold {

    /** So much waits here at most. */
    private static final long SEND_AHEAD_BYTES = 4 << 20;

    /** Where it goes when it is much. */
    interface Ahead {
        /** Whether the broker keeps parts of transactions. */
        boolean isOffered();

        void send(List<Outgoing> messages) throws JMSException;
    }

    private final Ahead ahead;
    private List<Outgoing> held = new ArrayList<>();
    private long bytes;

    HeldSends(Ahead ahead) {
        this.ahead = ahead;
    }

    @Override
    public boolean take(Outgoing message) throws JMSException {
        List<Outgoing> much = add(message);
        if (!much.isEmpty()) {
            ahead.send(much);
        }
        return true;
    }

    private synchronized List<Outgoing> add(Outgoing message) {
        held.add(message);
        bytes += message.data().length;
        return bytes > SEND_AHEAD_BYTES && ahead.isOffered() ? takeAll() : List.of();
    }

    /** What there is; the next transaction begins. */
    synchronized List<Outgoing> takeAll() {
        List<Outgoing> taken = held;
        held = new ArrayList<>();
        bytes = 0;
        return taken;
    }
}
