package io.metaq.jms.session;

import io.metaq.jms.producer.Hold;
import io.metaq.jms.transport.Outgoing;
import java.util.ArrayList;
import java.util.List;

/** What a transacted session has sent since the last commit or rollback, in order. */
final class HeldSends implements Hold {

    private List<Outgoing> held = new ArrayList<>();

    @Override
    public synchronized boolean take(Outgoing message) {
        held.add(message);
        return true;
    }

    /** What there is; the next transaction begins. */
    synchronized List<Outgoing> takeAll() {
        List<Outgoing> taken = held;
        held = new ArrayList<>();
        return taken;
    }
}
