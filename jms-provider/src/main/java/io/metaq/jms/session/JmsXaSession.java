package io.metaq.jms.session;

import io.metaq.jms.consumer.IdleWatch;
import io.metaq.jms.destination.TemporaryOwner;
import io.metaq.jms.option.ConnectionOption;
import io.metaq.jms.transport.ConnectionScope;
import io.metaq.xa.MetaqXaResource;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TopicSession;
import jakarta.jms.TransactionInProgressException;
import jakarta.jms.XAQueueSession;
import jakarta.jms.XATopicSession;
import java.io.Serializable;
import java.util.function.Consumer;
import javax.transaction.xa.XAResource;

/**
 * A session whose transactions a coordinator decides about. Outside of any, it sends at once and acknowledges by itself, so that
 * application servers can receive before they know of a transaction.
 */
public final class JmsXaSession extends JmsSession implements XAQueueSession, XATopicSession {

    private final MetaqXaResource resource;

    /**
     * As {@link JmsSession}'s, of the mode for branches.
     *
     * @param logged stands for its XAResource in the logs of transaction managers
     */
    public JmsXaSession(
            Serializable logged,
            ConnectionScope scope,
            IdleWatch idleWatch,
            Domain domain,
            int number,
            TemporaryOwner temporaries,
            Consumer<JmsSession> whenClosed) {
        super(scope, idleWatch, AcknowledgeMode.XA, domain, number, temporaries, whenClosed);
        resource = new MetaqXaResource(core().xa(), scope.options().flag(ConnectionOption.NEVER_SAME_RM), logged);
    }

    /** Stays of use after the session's close: what was worked on can be completed by it while the connection is open. */
    @Override
    public XAResource getXAResource() {
        return resource;
    }

    /** This session itself. */
    @Override
    public Session getSession() throws JMSException {
        checkOpen();
        return this;
    }

    @Override
    public QueueSession getQueueSession() throws JMSException {
        checkOpen();
        return this;
    }

    @Override
    public TopicSession getTopicSession() throws JMSException {
        checkOpen();
        return this;
    }

    @Override
    public boolean getTransacted() throws JMSException {
        checkOpen();
        return true;
    }

    @Override
    public void commit() throws JMSException {
        throw refusal("commit");
    }

    @Override
    public void rollback() throws JMSException {
        throw refusal("rollback");
    }

    @Override
    public void recover() throws JMSException {
        checkOpen();
        throw new IllegalStateException("recover is not for transacted sessions");
    }

    private JMSException refusal(String what) throws JMSException {
        checkOpen();
        return new TransactionInProgressException(what + " is the transaction manager's");
    }

    /** Whether it is closed and nothing that it worked on is open. */
    public boolean isDone() {
        return core().isClosed() && core().xa().isIdle();
    }

    /** The connection is closed: what is not prepared is rolled back by the broker. */
    public void connectionClosed() {
        core().xa().connectionCloses();
    }
}
