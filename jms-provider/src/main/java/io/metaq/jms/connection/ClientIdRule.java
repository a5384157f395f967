package io.metaq.jms.connection;

import io.metaq.jms.failure.Failures;
import io.metaq.jms.transport.ConnectionIdentity;
import io.metaq.jms.transport.Transport;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.JMSException;
import org.jspecify.annotations.Nullable;

/**
 * The rule of client ids: configured with the factory, or set by the application as the first thing it does with the connection, once.
 * The broker keeps them unique.
 */
final class ClientIdRule {

    private static final int CONFLICT = 409;

    private final ConnectionIdentity identity;
    private final Transport transport;
    private volatile boolean used;

    ClientIdRule(ConnectionIdentity identity, Transport transport) {
        this.identity = identity;
        this.transport = transport;
    }

    /** The application did something with the connection. */
    void used() {
        used = true;
    }

    void configured(String clientId) throws JMSException {
        claim(clientId);
    }

    void set(@Nullable String clientId) throws JMSException {
        if (identity.clientId() != null) {
            throw new IllegalStateException("the client id is '" + identity.clientId() + "' already");
        }
        if (used) {
            throw new IllegalStateException("the client id must be set before anything else is done with a connection");
        }
        claim(clientId);
    }

    private void claim(@Nullable String clientId) throws JMSException {
        if (clientId == null || clientId.isEmpty()) {
            throw new InvalidClientIDException("a client id needs at least one character");
        }
        try {
            transport.answer().await(transport.link().claimClientId(clientId), "claim client id '" + clientId + "'");
        } catch (JMSException e) {
            throw Failures.code(Failures.causeOf(e)) == CONFLICT
                    ? Failures.because(new InvalidClientIDException(e.getMessage(), "409"), e)
                    : e;
        }
        identity.setClientId(clientId);
    }
}
