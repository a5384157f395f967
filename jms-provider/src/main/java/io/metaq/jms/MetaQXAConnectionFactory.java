package io.metaq.jms;

import io.metaq.jms.connection.JmsXaConnection;
import io.metaq.jms.context.JmsXaContext;
import io.metaq.jms.failure.RuntimeFailures;
import io.metaq.jms.option.ConnectionOption;
import io.metaq.jms.option.ConnectionOptions;
import io.metaq.jms.session.Domain;
import jakarta.jms.JMSException;
import jakarta.jms.XAConnection;
import jakarta.jms.XAConnectionFactory;
import jakarta.jms.XAJMSContext;
import jakarta.jms.XAQueueConnection;
import jakarta.jms.XAQueueConnectionFactory;
import jakarta.jms.XATopicConnection;
import jakarta.jms.XATopicConnectionFactory;
import org.jspecify.annotations.Nullable;

/**
 * A connection factory for transaction managers: makes connections whose sessions have an XAResource, and all that
 * {@link MetaQConnectionFactory} makes.
 *
 * <pre>{@code
 * XAConnection connection = new MetaQXAConnectionFactory("metaq://broker:8123").createXAConnection();
 * XASession session = connection.createXASession();
 * transactionManager.begin();
 * transactionManager.getTransaction().enlistResource(session.getXAResource());
 * }</pre>
 */
public class MetaQXAConnectionFactory extends MetaQConnectionFactory
        implements XAConnectionFactory, XAQueueConnectionFactory, XATopicConnectionFactory {

    private static final long serialVersionUID = 1L;

    /** As {@link MetaQConnectionFactory#MetaQConnectionFactory()}. */
    public MetaQXAConnectionFactory() {}

    /** As {@link MetaQConnectionFactory#MetaQConnectionFactory(String)}. */
    public MetaQXAConnectionFactory(String uri) {
        super(uri);
    }

    public MetaQXAConnectionFactory(ConnectionOptions options) {
        super(options);
    }

    private @Nullable String user() {
        return options().text(ConnectionOption.USER);
    }

    private @Nullable String password() {
        return options().text(ConnectionOption.PASSWORD);
    }

    @Override
    public XAConnection createXAConnection() throws JMSException {
        return createXAConnection(user(), password());
    }

    @Override
    public XAConnection createXAConnection(@Nullable String user, @Nullable String password) throws JMSException {
        return JmsXaConnection.openXa(options(), Domain.ANY, user, password);
    }

    @Override
    public XAQueueConnection createXAQueueConnection() throws JMSException {
        return createXAQueueConnection(user(), password());
    }

    @Override
    public XAQueueConnection createXAQueueConnection(@Nullable String user, @Nullable String password)
            throws JMSException {
        return JmsXaConnection.openXa(options(), Domain.QUEUE, user, password);
    }

    @Override
    public XATopicConnection createXATopicConnection() throws JMSException {
        return createXATopicConnection(user(), password());
    }

    @Override
    public XATopicConnection createXATopicConnection(@Nullable String user, @Nullable String password)
            throws JMSException {
        return JmsXaConnection.openXa(options(), Domain.TOPIC, user, password);
    }

    @Override
    public XAJMSContext createXAContext() {
        return createXAContext(user(), password());
    }

    @Override
    public XAJMSContext createXAContext(@Nullable String user, @Nullable String password) {
        return RuntimeFailures.call(
                () -> new JmsXaContext(JmsXaConnection.openXa(options(), Domain.ANY, user, password)));
    }
}
