package io.metaq.broker.command;

import io.metaq.broker.net.CommandHandler;
import io.metaq.broker.net.Session;
import io.metaq.broker.subscription.ClientIds;
import io.metaq.broker.subscription.Refused;
import io.metaq.protocol.Request;
import io.metaq.protocol.Status;

/** {@code client}. */
final class ClientIdHandler implements CommandHandler {
    private final ClientIds ids;

    ClientIdHandler(ClientIds ids) {
        this.ids = ids;
    }

    @Override
    public void handle(Request request, Session session) {
        Request.ClientId claim = (Request.ClientId) request;
        try {
            ids.claim(claim.id(), session);
            session.reply(Status.OK, "", claim.opaque());
        } catch (Refused e) {
            session.reply(e.status(), e.text(), claim.opaque());
        }
    }
}
