package io.metaq.broker.net;

/** Work that ends in an answer: done on the event loop of its connection. */
public interface Reply {
    /** The connection, flushed after the reply. */
    Session session();

    /** Writes the answer. On the event loop. */
    void reply();
}
