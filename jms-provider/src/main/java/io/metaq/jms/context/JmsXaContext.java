package io.metaq.jms.context;

import static io.metaq.jms.failure.RuntimeFailures.call;

import io.metaq.jms.connection.JmsConnection;
import io.metaq.jms.connection.JmsXaConnection;
import io.metaq.jms.session.AcknowledgeMode;
import io.metaq.jms.session.Domain;
import io.metaq.jms.session.JmsSession;
import io.metaq.jms.session.JmsXaSession;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.XAJMSContext;
import javax.transaction.xa.XAResource;

/** A context whose transactions a coordinator decides about. */
public final class JmsXaContext extends JmsContext implements XAJMSContext {

    /** The first context of a connection. */
    public JmsXaContext(JmsXaConnection connection) {
        super(new SharedConnection(connection), AcknowledgeMode.XA);
    }

    @Override
    JmsSession openSession(JmsConnection connection) throws JMSException {
        return ((JmsXaConnection) connection).openXa(Domain.ANY);
    }

    /** This context itself. */
    @Override
    public JMSContext getContext() {
        return this;
    }

    @Override
    public XAResource getXAResource() {
        return call(() -> ((JmsXaSession) session()).getXAResource());
    }
}
