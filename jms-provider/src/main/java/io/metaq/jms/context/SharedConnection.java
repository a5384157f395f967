package io.metaq.jms.context;

import io.metaq.jms.connection.JmsConnection;
import io.metaq.jms.failure.Failures;
import jakarta.jms.JMSException;

/** A connection that several contexts use; the last that leaves closes it. */
final class SharedConnection {

    private final JmsConnection connection;
    private int holders = 1;

    /** For the first context. */
    SharedConnection(JmsConnection connection) {
        this.connection = connection;
    }

    JmsConnection connection() {
        return connection;
    }

    synchronized void join() throws JMSException {
        if (holders == 0) {
            throw Failures.closed("context");
        }
        holders++;
    }

    void leave() throws JMSException {
        boolean last;
        synchronized (this) {
            last = --holders == 0;
        }
        if (last) {
            connection.close();
        }
    }
}
