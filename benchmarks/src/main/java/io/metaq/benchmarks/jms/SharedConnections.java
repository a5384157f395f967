package io.metaq.benchmarks.jms;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import org.jspecify.annotations.Nullable;

/** Started connections: one for each who asks, or one that those share who want to. */
final class SharedConnections {

    private final ConnectionFactory factory;
    private @Nullable Connection shared;
    private int sharers;

    SharedConnections(ConnectionFactory factory) {
        this.factory = factory;
    }

    synchronized Connection open(boolean share) throws JMSException {
        if (!share) {
            return start();
        }
        if (shared == null) {
            shared = start();
        }
        sharers++;
        return shared;
    }

    private Connection start() throws JMSException {
        Connection connection = factory.createConnection();
        connection.start();
        return connection;
    }

    /** Closes it, the shared one when the last sharer did so. */
    synchronized void close(Connection connection) throws JMSException {
        if (connection == shared) {
            if (--sharers > 0) {
                return;
            }
            shared = null;
        }
        connection.close();
    }
}
