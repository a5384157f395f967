package io.metaq.jms.jndi;

import io.metaq.jms.MetaQConnectionFactory;
import io.metaq.jms.MetaQXAConnectionFactory;
import io.metaq.jms.destination.MetaQQueue;
import io.metaq.jms.destination.MetaQTopic;
import io.metaq.jms.option.ConnectionOptions;
import io.metaq.jms.uri.ConnectionUri;
import java.util.Hashtable;
import java.util.Map;
import java.util.TreeMap;
import javax.naming.ConfigurationException;
import javax.naming.Context;
import javax.naming.NameAlreadyBoundException;
import javax.naming.NamingException;
import org.jspecify.annotations.Nullable;

/** One level of names: each stands for an object, for another level, or for the names that are made when asked for. */
final class NameTree {
    private static final String FACTORY = "connectionFactory.";
    private static final String XA_FACTORY = "xaConnectionFactory.";
    private static final String QUEUE = "queue.";
    private static final String TOPIC = "topic.";

    /** Levels below which every name is a destination. */
    enum Dynamic {
        QUEUES,
        TOPICS
    }

    private final Map<String, Object> entries = new TreeMap<>();

    /** The tree that the properties describe. */
    static NameTree of(Hashtable<Object, Object> environment) throws NamingException {
        NameTree root = new NameTree();
        Map<String, String> properties = new TreeMap<>();
        environment.forEach((key, value) -> properties.put(key.toString(), value.toString()));
        ConnectionOptions base = base(properties.get(Context.PROVIDER_URL));
        boolean factories = false;
        for (Map.Entry<String, String> property : properties.entrySet()) {
            factories |=
                    property.getKey().startsWith(FACTORY) || property.getKey().startsWith(XA_FACTORY);
            root.add(property.getKey(), property.getValue().strip(), base);
        }
        if (!factories) {
            root.put(NamePath.of("ConnectionFactory"), new MetaQConnectionFactory(base));
            root.put(NamePath.of("XAConnectionFactory"), new MetaQXAConnectionFactory(base));
        }
        root.entries.put("dynamicQueues", Dynamic.QUEUES);
        root.entries.put("dynamicTopics", Dynamic.TOPICS);
        return root;
    }

    private static ConnectionOptions base(@Nullable String uri) throws NamingException {
        return uri == null || uri.isBlank()
                ? ConnectionOptions.defaults()
                : options(Context.PROVIDER_URL, uri.strip(), ConnectionOptions.defaults());
    }

    private void add(String key, String value, ConnectionOptions base) throws NamingException {
        if (key.startsWith(FACTORY)) {
            put(path(key, FACTORY), new MetaQConnectionFactory(factoryOptions(key, value, base)));
        } else if (key.startsWith(XA_FACTORY)) {
            put(path(key, XA_FACTORY), new MetaQXAConnectionFactory(factoryOptions(key, value, base)));
        } else if (key.startsWith(QUEUE)) {
            put(path(key, QUEUE), new MetaQQueue(physical(key, value)));
        } else if (key.startsWith(TOPIC)) {
            put(path(key, TOPIC), new MetaQTopic(physical(key, value)));
        }
    }

    private static ConnectionOptions factoryOptions(String key, String value, ConnectionOptions base)
            throws NamingException {
        return value.isEmpty() ? base : options(key, value, base);
    }

    private static NamePath path(String key, String prefix) throws NamingException {
        NamePath path = NamePath.of(key.substring(prefix.length()));
        if (path.isEmpty()) {
            throw new ConfigurationException("property " + key + " has no name behind " + prefix);
        }
        return path;
    }

    private static String physical(String key, String value) throws NamingException {
        if (value.isEmpty()) {
            throw new ConfigurationException("property " + key + " has no destination as its value");
        }
        return value;
    }

    private static ConnectionOptions options(String key, String value, ConnectionOptions base) throws NamingException {
        try {
            return ConnectionUri.parse(value, base);
        } catch (IllegalArgumentException e) {
            NamingException wrong = new ConfigurationException("property " + key + ": " + e.getMessage());
            wrong.setRootCause(e);
            throw wrong;
        }
    }

    /** Binds, making the levels on the way. */
    private void put(NamePath path, Object value) throws NamingException {
        NameTree level = this;
        for (String part : path.parent().parts()) {
            Object next = level.entries.computeIfAbsent(part, name -> new NameTree());
            if (!(next instanceof NameTree tree)) {
                throw new NameAlreadyBoundException(path + " lies below a name that is bound itself");
            }
            level = tree;
        }
        if (level.entries.putIfAbsent(path.last(), value) != null) {
            throw new NameAlreadyBoundException(path.toString());
        }
    }

    /** The names of this level with what they stand for, as it is now. */
    synchronized Map<String, Object> snapshot() {
        return new TreeMap<>(entries);
    }

    synchronized @Nullable Object get(String name) {
        return entries.get(name);
    }

    /** Binds; gives whether the name was free. */
    synchronized boolean bind(String name, Object value) {
        return entries.putIfAbsent(name, value) == null;
    }

    synchronized void rebind(String name, Object value) {
        entries.put(name, value);
    }

    synchronized void remove(String name) {
        entries.remove(name);
    }

    synchronized boolean isEmpty() {
        return entries.isEmpty();
    }

    /** The destination of this name below a dynamic level. */
    static Object made(Dynamic kind, String name) {
        return switch (kind) {
            case QUEUES -> new MetaQQueue(name);
            case TOPICS -> new MetaQTopic(name);
        };
    }
}
