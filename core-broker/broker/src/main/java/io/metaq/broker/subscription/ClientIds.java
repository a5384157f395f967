package io.metaq.broker.subscription;

import io.metaq.broker.net.Session;
import io.metaq.protocol.Status;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Which connection has which client id. It is free again when the connection ends. */
public final class ClientIds {
    private final Map<String, Session> owners = new ConcurrentHashMap<>();

    private static final class Claimed {
        private @Nullable String id;
    }

    /** Claims an id; on the connection's event loop. */
    public void claim(String id, Session session) {
        if (id.isEmpty()) {
            throw new Refused(Status.BAD_REQUEST, "a client id has at least one character");
        }
        Claimed claimed = session.part(Claimed.class, Claimed::new);
        if (id.equals(claimed.id)) {
            return;
        }
        if (claimed.id != null) {
            throw new Refused(Status.CONFLICT, "this connection has the client id " + claimed.id + " already");
        }
        Session owner = owners.putIfAbsent(id, session);
        if (owner != null) {
            throw new Refused(Status.CONFLICT, "client id " + id + " is in use by " + owner);
        }
        claimed.id = id;
        session.onClose(() -> owners.remove(id, session));
    }
}
