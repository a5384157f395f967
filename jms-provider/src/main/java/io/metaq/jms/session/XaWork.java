package io.metaq.jms.session;

import io.metaq.jms.failure.Failures;
import io.metaq.jms.producer.Hold;
import io.metaq.jms.transport.Outgoing;
import io.metaq.jms.transport.Transport;
import io.metaq.xa.Branch;
import io.metaq.xa.Contribution;
import io.metaq.xa.ResourceManager;
import io.metaq.xa.XaSession;
import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.transaction.xa.XAException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session's part in branches: while its XAResource is in one, what it sends and receives is that branch's; otherwise it sends and
 * acknowledges at once.
 */
final class XaWork implements XaSession, Hold {

    private static final Logger LOG = LoggerFactory.getLogger(XaWork.class);

    private final SessionCore session;
    private final Transport transport;
    private final Set<XaContribution> open = ConcurrentHashMap.newKeySet();
    private volatile @Nullable XaContribution current;

    XaWork(SessionCore session, Transport transport) {
        this.session = session;
        this.transport = transport;
    }

    @Override
    public ResourceManager manager() {
        return transport.resourceManager();
    }

    @Override
    public Contribution contribute(Branch branch) {
        XaContribution contribution = new XaContribution(session, transport.link(), manager(), branch, open::remove);
        open.add(contribution);
        return contribution;
    }

    /**
     * A message whose listener runs now becomes the branch's too: application servers begin the transaction within the listener that
     * they put around the application's.
     */
    @Override
    public void enter(Contribution contribution) {
        XaContribution entered = (XaContribution) contribution;
        current = entered;
        session.acknowledgements().snapshot().forEach(entered::claim);
    }

    @Override
    public void leave() {
        current = null;
    }

    /** Whether no branch with work of this session is open. */
    boolean isIdle() {
        return open.isEmpty();
    }

    boolean isInBranch() {
        return current != null;
    }

    @Override
    public boolean take(Outgoing message) throws JMSException {
        XaContribution branch = current;
        if (branch == null) {
            return false;
        }
        try {
            branch.add(message);
        } catch (XAException e) {
            throw Failures.because(new JMSException("send within a transaction: " + e.getMessage()), e);
        }
        return true;
    }

    /** The message is about to be shown. */
    void claim(Shown shown) {
        XaContribution branch = current;
        if (branch != null) {
            branch.claim(shown);
        }
    }

    /** What is not at the broker yet must be there before the session's consumers are gone: the branches go on without it. */
    void sessionCloses() {
        for (XaContribution contribution : open) {
            try {
                contribution.branch().sendAhead(contribution);
            } catch (XAException e) {
                LOG.warn("the transaction can only be rolled back: {}", e.getMessage());
            }
        }
    }

    /** The broker rolls back what this connection had not prepared. */
    void connectionCloses() {
        List<XaContribution> lost = new ArrayList<>(open);
        lost.forEach(contribution -> contribution.branch().lost());
    }
}
