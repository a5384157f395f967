package io.metaq.broker.subscription;

import io.metaq.broker.net.Session;
import io.metaq.protocol.Status;
import io.metaq.state.TemporaryTopics;
import io.metaq.state.Topic;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Whose the temporary destinations are: each goes with the connection that made it, which alone may attach to it. */
public final class TemporaryDestinations {
    private final TemporaryTopics topics;
    private final Dispatches dispatches;
    private final Map<String, Session> owners = new ConcurrentHashMap<>();

    public TemporaryDestinations(TemporaryTopics topics, Dispatches dispatches) {
        this.topics = topics;
        this.dispatches = dispatches;
    }

    /** Those of one connection; on its event loop. */
    private static final class Owned {
        private final Set<String> names = new HashSet<>();
    }

    /** Makes one for a connection; on its event loop. */
    public void create(String name, Topic.Kind kind, Session owner) {
        if (owners.putIfAbsent(name, owner) != null) {
            throw new Refused(Status.CONFLICT, "there is a temporary destination " + name);
        }
        if (topics.create(name, kind) == null) {
            owners.remove(name, owner);
            throw new Refused(Status.CONFLICT, "there is a temporary destination " + name);
        }
        Owned owned = owner.part(Owned.class, Owned::new);
        if (owned.names.isEmpty()) {
            owner.onClose(() -> Set.copyOf(owned.names).forEach(this::drop));
        }
        owned.names.add(name);
    }

    /** Deletes one at the wish of a connection; on its event loop. */
    public void delete(String name, Session by) {
        Session owner = owners.get(name);
        if (owner == null) {
            throw new Refused(Status.NOT_FOUND, "there is no temporary destination " + name);
        }
        if (owner != by) {
            throw new Refused(Status.FORBIDDEN, name + " belongs to another connection");
        }
        Topic topic = topics.topic(name);
        if (topic != null && dispatches.used(topic)) {
            throw new Refused(Status.CONFLICT, name + " has consumers: close them first");
        }
        by.part(Owned.class, Owned::new).names.remove(name);
        drop(name);
    }

    private void drop(String name) {
        Topic topic = topics.topic(name);
        owners.remove(name);
        if (topics.delete(name) && topic != null) {
            dispatches.topicGone(topic);
        }
    }

    boolean belongsTo(String name, Session session) {
        return owners.get(name) == session;
    }

    /** How many there are. */
    public int count() {
        return owners.size();
    }
}
