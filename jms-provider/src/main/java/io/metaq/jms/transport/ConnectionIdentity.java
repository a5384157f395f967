package io.metaq.jms.transport;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Who a connection is: its own id, the client id if it has one, and the names that follow from them. */
public final class ConnectionIdentity {

    private final MessageIds ids = new MessageIds();
    private final AtomicLong consumers = new AtomicLong();
    private volatile @Nullable String clientId;

    /** This connection's own id: letters and digits, unique. */
    public String id() {
        return ids.connection();
    }

    public @Nullable String clientId() {
        return clientId;
    }

    public void setClientId(String id) {
        clientId = id;
    }

    /** What this connection's messages carry so that its subscribers can leave them out: the client id, or its own. */
    public String origin() {
        String id = clientId;
        return id == null ? id() : id;
    }

    /** An id for a message. */
    public String nextMessageId() {
        return ids.next();
    }

    /** The name of a durable subscription, shared or not. */
    public String durable(String name) {
        return "durable:" + clientPart() + ":" + name;
    }

    /** The name of a shared subscription that is not durable. */
    public String shared(String name) {
        return "shared:" + clientPart() + ":" + name;
    }

    /** A name that no other consumer has. */
    public String unique(String what) {
        return what + ":" + id() + ":" + consumers.incrementAndGet();
    }

    /** Without colons, so that no two pairs of client id and name become one. */
    private String clientPart() {
        String id = clientId;
        return id == null ? "" : id.replace("%", "%25").replace(":", "%3A");
    }
}
