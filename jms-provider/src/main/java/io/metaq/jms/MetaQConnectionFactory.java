package io.metaq.jms;

import io.metaq.jms.connection.JmsConnection;
import io.metaq.jms.context.JmsContext;
import io.metaq.jms.failure.RuntimeFailures;
import io.metaq.jms.option.ConnectionOption;
import io.metaq.jms.option.ConnectionOptions;
import io.metaq.jms.session.Domain;
import io.metaq.jms.uri.ConnectionUri;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueConnectionFactory;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicConnectionFactory;
import java.io.Serializable;
import javax.naming.Reference;
import javax.naming.Referenceable;
import javax.naming.StringRefAddr;
import org.jspecify.annotations.Nullable;

/**
 * The door to MetaQ for JMS applications: makes connections and contexts, for queues and topics alike.
 *
 * <pre>{@code
 * ConnectionFactory factory = new MetaQConnectionFactory("metaq://broker:8123?prefetch=100");
 * try (JMSContext context = factory.createContext()) {
 *     context.createProducer().send(context.createQueue("orders"), "hello");
 * }
 * }</pre>
 *
 * <p>What is set later counts for connections made later. Safe for use by many threads.
 */
public class MetaQConnectionFactory
        implements ConnectionFactory, QueueConnectionFactory, TopicConnectionFactory, Referenceable, Serializable {

    private static final long serialVersionUID = 1L;

    private volatile ConnectionOptions options;

    /** Connects to {@value ConnectionOptions#DEFAULT_ADDRESS} unless told otherwise by {@link #setUri}. */
    public MetaQConnectionFactory() {
        this(ConnectionOptions.defaults());
    }

    /**
     * @param uri {@code metaq://host:port[,host:port...][?option=value&...]}, {@code metaqs://} for TLS
     * @throws IllegalArgumentException when it is not such a URI
     */
    public MetaQConnectionFactory(String uri) {
        this(ConnectionUri.parse(uri));
    }

    public MetaQConnectionFactory(ConnectionOptions options) {
        this.options = options;
    }

    /** What connections are made with. */
    public final ConnectionOptions options() {
        return options;
    }

    /** Replaces everything that was set by what this URI says. */
    public final void setUri(String uri) {
        options = ConnectionUri.parse(uri);
    }

    /** Sets one option by its name in URIs; null sets it back to its default. */
    public final synchronized void setOption(String name, @Nullable String value) {
        options = options.with(ConnectionUri.option(name), value);
    }

    /** {@link ConnectionOption#USER} */
    public final void setUser(@Nullable String user) {
        setOption(ConnectionOption.USER.key(), user);
    }

    /** {@link ConnectionOption#PASSWORD} */
    public final void setPassword(@Nullable String password) {
        setOption(ConnectionOption.PASSWORD.key(), password);
    }

    /** {@link ConnectionOption#CLIENT_ID} */
    public final void setClientId(@Nullable String clientId) {
        setOption(ConnectionOption.CLIENT_ID.key(), clientId);
    }

    /** {@link ConnectionOption#PREFETCH} */
    public final void setPrefetch(int messages) {
        setOption(ConnectionOption.PREFETCH.key(), Integer.toString(messages));
    }

    /** {@link ConnectionOption#TRUSTED_CLASSES} */
    public final void setTrustedClasses(String classes) {
        setOption(ConnectionOption.TRUSTED_CLASSES.key(), classes);
    }

    @Override
    public Connection createConnection() throws JMSException {
        return createConnection(options.text(ConnectionOption.USER), options.text(ConnectionOption.PASSWORD));
    }

    @Override
    public Connection createConnection(@Nullable String user, @Nullable String password) throws JMSException {
        return JmsConnection.open(options, Domain.ANY, user, password);
    }

    @Override
    public QueueConnection createQueueConnection() throws JMSException {
        return createQueueConnection(options.text(ConnectionOption.USER), options.text(ConnectionOption.PASSWORD));
    }

    @Override
    public QueueConnection createQueueConnection(@Nullable String user, @Nullable String password) throws JMSException {
        return JmsConnection.open(options, Domain.QUEUE, user, password);
    }

    @Override
    public TopicConnection createTopicConnection() throws JMSException {
        return createTopicConnection(options.text(ConnectionOption.USER), options.text(ConnectionOption.PASSWORD));
    }

    @Override
    public TopicConnection createTopicConnection(@Nullable String user, @Nullable String password) throws JMSException {
        return JmsConnection.open(options, Domain.TOPIC, user, password);
    }

    @Override
    public JMSContext createContext() {
        return createContext(JMSContext.AUTO_ACKNOWLEDGE);
    }

    @Override
    public JMSContext createContext(int sessionMode) {
        return createContext(options.text(ConnectionOption.USER), options.text(ConnectionOption.PASSWORD), sessionMode);
    }

    @Override
    public JMSContext createContext(@Nullable String user, @Nullable String password) {
        return createContext(user, password, JMSContext.AUTO_ACKNOWLEDGE);
    }

    @Override
    public JMSContext createContext(@Nullable String user, @Nullable String password, int sessionMode) {
        return RuntimeFailures.call(
                () -> JmsContext.open(sessionMode, () -> JmsConnection.open(options, Domain.ANY, user, password)));
    }

    /** What another naming service stores of it; holds everything that was set, passwords too. */
    @Override
    public final Reference getReference() {
        return new Reference(
                getClass().getName(),
                new StringRefAddr("uri", ConnectionUri.format(options)),
                "io.metaq.jms.jndi.MetaQObjectFactory",
                null);
    }

    /** Two are equal when they connect alike. */
    @Override
    public final boolean equals(@Nullable Object other) {
        return other instanceof MetaQConnectionFactory that
                && getClass() == that.getClass()
                && options.equals(that.options);
    }

    @Override
    public final int hashCode() {
        return options.hashCode();
    }

    /** The connection URI, without passwords. */
    @Override
    public final String toString() {
        return options.toString();
    }
}
