package io.metaq.broker.net;

import org.jspecify.annotations.Nullable;

/** Work that ends in an answer: done on the event loop of its connection. */
public interface Reply {
    /** The connection, flushed after the reply; null if there is none, or the reply sees to that itself. */
    @Nullable
    Session session();

    /** Writes the answer. On the event loop. */
    void reply();
}
