package io.metaq.broker.command;

import io.metaq.broker.net.CommandHandler;
import io.metaq.broker.net.Session;
import io.metaq.broker.subscription.Refused;
import io.metaq.broker.transaction.Transactions;
import io.metaq.protocol.Request;
import io.metaq.protocol.Status;
import io.metaq.state.record.TransactionStep;
import io.metaq.state.transaction.Transaction;
import io.metaq.state.transaction.Transaction.Phase;
import io.metaq.state.transaction.TransactionOutcome;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code tx}: list, show, commit, rollback, forget. What an operator decides is in the log. */
final class TxAdminHandler implements CommandHandler {
    private static final Logger LOG = LoggerFactory.getLogger(TxAdminHandler.class);

    private final Transactions transactions;
    private final TransactionReport report;

    TxAdminHandler(HandlerContext context, Transactions transactions) {
        this.transactions = transactions;
        this.report = new TransactionReport(context.store().state(), context.clock());
    }

    @Override
    public void handle(Request request, Session session) {
        Request.Admin admin = (Request.Admin) request;
        try {
            switch (admin.operation()) {
                case TX_LIST -> session.reply(Status.OK, report.list(new Glob(admin.name())), admin.opaque());
                case TX_SHOW -> session.reply(Status.OK, report.show(find(admin.name())), admin.opaque());
                case TX_COMMIT -> step(find(admin.name()), TransactionStep.Kind.RESOLVE_COMMIT, admin, session);
                case TX_ROLLBACK -> rollBack(find(admin.name()), admin, session);
                case TX_FORGET -> step(find(admin.name()), TransactionStep.Kind.FORGET, admin, session);
                default ->
                    session.reply(
                            Status.NOT_SUPPORTED, "tx " + admin.operation().word(), admin.opaque());
            }
        } catch (Refused e) {
            session.reply(e.status(), e.text(), admin.opaque());
        }
    }

    private Transaction find(String key) {
        Transaction found = transactions.table().find(key);
        if (found == null) {
            throw new Refused(Status.NOT_FOUND, "there is no transaction " + key);
        }
        return found;
    }

    private void rollBack(Transaction transaction, Request.Admin admin, Session session) {
        boolean active = transaction.phase() == Phase.ACTIVE;
        step(
                transaction,
                active ? TransactionStep.Kind.ABANDON : TransactionStep.Kind.RESOLVE_ROLLBACK,
                admin,
                session);
    }

    private void step(Transaction transaction, TransactionStep.Kind kind, Request.Admin admin, Session session) {
        session.hold();
        transactions
                .step(transaction.id(), transaction.key(), kind)
                .whenComplete((outcome, failure) -> session.later(() -> {
                    if (outcome != null && outcome.done()) {
                        LOG.warn(
                                "transaction {} of {}: {} by the operator {}",
                                transaction.key(),
                                transaction.owner(),
                                admin.operation().word(),
                                TransactionAnswers.owner(session));
                    }
                    answer(outcome, failure, admin, session);
                    session.release();
                }));
    }

    private static void answer(
            @Nullable TransactionOutcome outcome, @Nullable Throwable failure, Request.Admin admin, Session session) {
        if (outcome == null) {
            Throwable cause = failure == null ? new IllegalStateException("no outcome") : failure;
            session.reply(ErrorTexts.status(cause), ErrorTexts.text(cause), admin.opaque());
            return;
        }
        Status status = outcome.done()
                ? Status.OK
                : outcome.code() == TransactionOutcome.Code.UNKNOWN ? Status.NOT_FOUND : Status.CONFLICT;
        String text = outcome.text().isEmpty() && !outcome.done()
                ? outcome.code().name().toLowerCase(Locale.ROOT).replace('_', ' ')
                : outcome.text();
        session.reply(status, text, admin.opaque());
    }
}
