package io.metaq.jms.jndi;

import io.metaq.jms.MetaQConnectionFactory;
import io.metaq.jms.MetaQXAConnectionFactory;
import io.metaq.jms.destination.MetaQQueue;
import io.metaq.jms.destination.MetaQTopic;
import io.metaq.jms.option.ConnectionOption;
import io.metaq.jms.option.ConnectionOptions;
import io.metaq.jms.uri.ConnectionUri;
import io.metaq.jms.uri.NearestName;
import java.util.Arrays;
import java.util.Collections;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.naming.ConfigurationException;
import javax.naming.Context;
import javax.naming.Name;
import javax.naming.NamingException;
import javax.naming.RefAddr;
import javax.naming.Reference;
import javax.naming.spi.ObjectFactory;
import org.jspecify.annotations.Nullable;

/**
 * Makes connection factories and destinations from what another naming service has stored: references that ours give, and those
 * of a server's own configuration, such as Tomcat's {@code <Resource>}. A connection factory has {@code uri} and any connection
 * option by its name; a queue or topic has {@code physicalName}. The type is our class or the interface of JMS.
 */
public final class MetaQObjectFactory implements ObjectFactory {
    private static final String URI = "uri";
    private static final String PHYSICAL_NAME = "physicalName";

    /** What Tomcat and its kin put into each reference for themselves. */
    private static final Set<String> OF_THE_CONTAINER = Set.of(
            "auth",
            "scope",
            "singleton",
            "factory",
            "description",
            "closeMethod",
            "name",
            "type",
            "uniqueResourceName");

    private static final Set<String> FACTORIES = Set.of(
            MetaQConnectionFactory.class.getName(),
            "jakarta.jms.ConnectionFactory",
            "jakarta.jms.QueueConnectionFactory",
            "jakarta.jms.TopicConnectionFactory");
    private static final Set<String> XA_FACTORIES = Set.of(
            MetaQXAConnectionFactory.class.getName(),
            "jakarta.jms.XAConnectionFactory",
            "jakarta.jms.XAQueueConnectionFactory",
            "jakarta.jms.XATopicConnectionFactory");
    private static final Set<String> QUEUES = Set.of(MetaQQueue.class.getName(), "jakarta.jms.Queue");
    private static final Set<String> TOPICS = Set.of(MetaQTopic.class.getName(), "jakarta.jms.Topic");

    /**
     * Makes the object.
     *
     * @return null when the reference is not for this factory
     * @throws ConfigurationException when an attribute is unknown or has a wrong value
     */
    @Override
    public @Nullable Object getObjectInstance(
            @Nullable Object reference,
            @Nullable Name name,
            @Nullable Context context,
            @Nullable Hashtable<?, ?> environment)
            throws NamingException {
        if (!(reference instanceof Reference stored)) {
            return null;
        }
        String type = stored.getClassName();
        if (FACTORIES.contains(type)) {
            return new MetaQConnectionFactory(options(attributes(stored)));
        }
        if (XA_FACTORIES.contains(type)) {
            return new MetaQXAConnectionFactory(options(attributes(stored)));
        }
        if (QUEUES.contains(type)) {
            return new MetaQQueue(physicalName(attributes(stored)));
        }
        if (TOPICS.contains(type)) {
            return new MetaQTopic(physicalName(attributes(stored)));
        }
        return null;
    }

    private static Map<String, String> attributes(Reference stored) {
        Map<String, String> attributes = new TreeMap<>();
        for (RefAddr address : Collections.list(stored.getAll())) {
            Object content = address.getContent();
            if (content != null && !OF_THE_CONTAINER.contains(address.getType())) {
                attributes.put(address.getType(), content.toString());
            }
        }
        return attributes;
    }

    private static ConnectionOptions options(Map<String, String> attributes) throws NamingException {
        try {
            String uri = attributes.remove(URI);
            ConnectionOptions options = uri == null ? ConnectionOptions.defaults() : ConnectionUri.parse(uri);
            for (Map.Entry<String, String> attribute : attributes.entrySet()) {
                options = options.with(option(attribute.getKey()), attribute.getValue());
            }
            return options;
        } catch (IllegalArgumentException e) {
            NamingException wrong = new ConfigurationException(e.getMessage());
            wrong.setRootCause(e);
            throw wrong;
        }
    }

    private static ConnectionOption option(String key) {
        List<String> known = Stream.concat(
                        Stream.of(URI), Arrays.stream(ConnectionOption.values()).map(ConnectionOption::key))
                .toList();
        return ConnectionOption.named(key)
                .orElseThrow(
                        () -> new IllegalArgumentException("unknown attribute " + key + NearestName.hint(key, known)));
    }

    private static String physicalName(Map<String, String> attributes) throws NamingException {
        String name = attributes.remove(PHYSICAL_NAME);
        if (!attributes.isEmpty()) {
            String unknown = attributes.keySet().iterator().next();
            throw new ConfigurationException("unknown attribute " + unknown + "; did you mean " + PHYSICAL_NAME + "?");
        }
        if (name == null || name.isBlank()) {
            throw new ConfigurationException("a destination needs the attribute " + PHYSICAL_NAME);
        }
        return name;
    }
}
