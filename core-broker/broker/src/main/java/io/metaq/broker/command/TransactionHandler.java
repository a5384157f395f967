package io.metaq.broker.command;

import io.metaq.broker.net.CommandHandler;
import io.metaq.broker.net.Session;
import io.metaq.protocol.Request;
import io.metaq.protocol.Status;

/** {@code transaction}: understood, and refused until the broker can keep its promise. */
final class TransactionHandler implements CommandHandler {
    static final String NOT_YET = "transactions are not supported yet by this broker: send without one";

    @Override
    public void handle(Request request, Session session) {
        if (request instanceof Request.Transaction transaction && transaction.step() == Request.Transaction.Step.END) {
            // 1.4 never answers END, and its clients take no answer.
            return;
        }
        request.release();
        session.reply(Status.NOT_SUPPORTED, NOT_YET, request.opaque());
    }
}
