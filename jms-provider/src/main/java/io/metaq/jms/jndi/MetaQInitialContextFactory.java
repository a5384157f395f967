package io.metaq.jms.jndi;

import java.util.Hashtable;
import javax.naming.ConfigurationException;
import javax.naming.Context;
import javax.naming.NamingException;
import javax.naming.spi.InitialContextFactory;
import org.jspecify.annotations.Nullable;

/**
 * Makes naming contexts from properties, in the manner that JMS users know. No broker is asked for anything.
 *
 * <pre>
 * java.naming.factory.initial = io.metaq.jms.jndi.MetaQInitialContextFactory
 * java.naming.provider.url = metaq://localhost:8123
 * connectionFactory.MyFactory =
 * connectionFactory.Audit = ?clientId=audit
 * connectionFactory.Far = metaqs://far.example:8125?user=me&amp;password=secret
 * queue.jms/Orders = orders
 * topic.jms/Prices = prices
 * </pre>
 *
 * A factory's value is a connection URI, options for the default URI ({@code ?...}), or nothing for the default URI as it is. The
 * default URI is {@code java.naming.provider.url}, else {@code metaq://localhost:8123}. Without any {@code connectionFactory.} there
 * is one factory, {@code ConnectionFactory}. Queues and topics without an entry are found as {@code dynamicQueues/NAME} and {@code
 * dynamicTopics/NAME}.
 */
public final class MetaQInitialContextFactory implements InitialContextFactory {

    /** @throws ConfigurationException when a property has a wrong value; the text names property and reason */
    @Override
    public Context getInitialContext(@Nullable Hashtable<?, ?> environment) throws NamingException {
        Hashtable<Object, Object> copy = new Hashtable<>();
        if (environment != null) {
            copy.putAll(environment);
        }
        return new MetaQContext(copy, NameTree.of(copy), new NamePath());
    }
}
