package io.metaq.broker.net;

import io.metaq.protocol.Request;

/** What a family of commands does. Called on the connection's event loop; must not block. */
@FunctionalInterface
public interface CommandHandler {
    /** Takes over the request, its body included, and sees to its reply. */
    void handle(Request request, Session session);
}
