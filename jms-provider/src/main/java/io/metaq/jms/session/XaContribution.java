package io.metaq.jms.session;

import io.metaq.client.subscription.SubscriberLink;
import io.metaq.client.subscription.TransactionParts;
import io.metaq.jms.transport.Outgoing;
import io.metaq.xa.Branch;
import io.metaq.xa.Contribution;
import io.metaq.xa.ResourceManager;
import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.transaction.xa.XAException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What one session did within one branch. */
final class XaContribution implements Contribution {

    private static final Logger LOG = LoggerFactory.getLogger(XaContribution.class);

    private final SessionCore session;
    private final ResourceManager manager;
    private final Branch branch;
    private final Consumer<XaContribution> whenEnded;
    private final List<Shown> received = new ArrayList<>();
    private final Piece sends;
    private int acknowledged;

    XaContribution(
            SessionCore session,
            SubscriberLink link,
            ResourceManager manager,
            Branch branch,
            Consumer<XaContribution> whenEnded) {
        this.sends = new Piece(link);
        this.session = session;
        this.manager = manager;
        this.branch = branch;
        this.whenEnded = whenEnded;
    }

    Branch branch() {
        return branch;
    }

    @Override
    public ResourceManager manager() {
        return manager;
    }

    void add(Outgoing message) throws XAException {
        boolean full;
        synchronized (this) {
            full = sends.isFullFor(message);
        }
        if (full) {
            branch.sendAhead(this);
        }
        synchronized (this) {
            sends.add(message);
        }
    }

    synchronized void claim(Shown shown) {
        if (!shown.claimed) {
            shown.claimed = true;
            received.add(shown);
        }
    }

    @Override
    public synchronized TransactionParts take() {
        Unsettled acknowledgements = Unsettled.of(received.subList(acknowledged, received.size()));
        TransactionParts parts = Piece.parts(sends.take(), acknowledgements);
        acknowledged = received.size();
        return parts;
    }

    private synchronized List<Shown> end() {
        whenEnded.accept(this);
        return new ArrayList<>(received);
    }

    @Override
    public void committed() {
        settle(end());
    }

    @Override
    public void rolledBack(boolean sent) {
        List<Shown> messages = end();
        if (sent) {
            settle(messages);
            return;
        }
        try {
            session.rewind(messages);
        } catch (JMSException e) {
            LOG.warn(
                    "messages of a transaction that was rolled back come again when their consumer ends: {}",
                    e.getMessage());
        }
    }

    private void settle(List<Shown> messages) {
        session.acknowledgements().forget(messages);
        Unsettled.of(messages).settled();
    }
}
