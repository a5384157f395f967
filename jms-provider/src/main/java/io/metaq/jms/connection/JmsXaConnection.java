package io.metaq.jms.connection;

import io.metaq.jms.option.ConnectionOption;
import io.metaq.jms.option.ConnectionOptions;
import io.metaq.jms.recovery.ReconnectingXaResource;
import io.metaq.jms.session.Domain;
import io.metaq.jms.session.JmsXaSession;
import io.metaq.jms.transport.ConnectionScope;
import jakarta.jms.JMSException;
import jakarta.jms.XAQueueConnection;
import jakarta.jms.XAQueueSession;
import jakarta.jms.XASession;
import jakarta.jms.XATopicConnection;
import jakarta.jms.XATopicSession;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A connection that also makes sessions for a transaction manager. */
public final class JmsXaConnection extends JmsConnection implements XAQueueConnection, XATopicConnection {

    private final Set<JmsXaSession> made = ConcurrentHashMap.newKeySet();

    private final ReconnectingXaResource logged;

    private JmsXaConnection(ConnectionScope scope, Domain domain, ReconnectingXaResource logged) {
        super(scope, domain);
        this.logged = logged;
    }

    /** As {@link JmsConnection#open}. */
    public static JmsXaConnection openXa(
            ConnectionOptions options, Domain domain, @Nullable String user, @Nullable String password)
            throws JMSException {
        ReconnectingXaResource logged = ReconnectingXaResource.of(
                options.with(ConnectionOption.USER, user).with(ConnectionOption.PASSWORD, password));
        return open(options, user, password, scope -> new JmsXaConnection(scope, domain, logged));
    }

    /** A session for a transaction manager. */
    public JmsXaSession openXa(Domain sessionDomain) throws JMSException {
        use();
        JmsXaSession session = new JmsXaSession(
                logged, scope(), idleWatch(), sessionDomain, nextSession(), this::deleteTemporary, this::forget);
        made.removeIf(JmsXaSession::isDone);
        made.add(session);
        return add(session);
    }

    @Override
    public XASession createXASession() throws JMSException {
        return openXa(domain());
    }

    @Override
    public XAQueueSession createXAQueueSession() throws JMSException {
        return openXa(Domain.QUEUE);
    }

    @Override
    public XATopicSession createXATopicSession() throws JMSException {
        return openXa(Domain.TOPIC);
    }

    @Override
    public void close() throws JMSException {
        super.close();
        made.forEach(JmsXaSession::connectionClosed);
    }
}
