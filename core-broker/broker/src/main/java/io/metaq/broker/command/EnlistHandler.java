package io.metaq.broker.command;

import io.metaq.broker.net.CommandHandler;
import io.metaq.broker.net.Session;
import io.metaq.broker.subscription.Refused;
import io.metaq.broker.transaction.OwnTransactions;
import io.metaq.broker.transaction.PassingAcknowledgements.Held;
import io.metaq.broker.transaction.TransactionLimits;
import io.metaq.broker.transaction.Transactions;
import io.metaq.protocol.Request;
import io.metaq.protocol.Request.Enlist.Then;
import io.metaq.protocol.Response;
import io.metaq.protocol.Status;
import io.metaq.protocol.TransactionKey;
import io.metaq.state.EnlistProposal;
import io.metaq.state.TransactionProposal;
import io.metaq.state.record.EnlistedRecord;
import io.metaq.state.transaction.TransactionOutcome;
import io.metaq.state.transaction.TransactionOutcome.Code;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code enlist}: messages and acknowledgements for a transaction, which may be prepared or committed with them. */
final class EnlistHandler implements CommandHandler {
    private final HandlerContext context;
    private final Transactions transactions;
    private final TransactionLimits limits;

    EnlistHandler(HandlerContext context, Transactions transactions, TransactionLimits limits) {
        this.context = context;
        this.transactions = transactions;
        this.limits = limits;
    }

    @Override
    public void handle(Request request, Session session) {
        Request.Enlist enlist = (Request.Enlist) request;
        if (enlist.key() instanceof TransactionKey.Null) {
            request.release();
            session.reply(Status.BAD_REQUEST, "null is the key of no transaction", request.opaque());
            return;
        }
        new Step(enlist, session).start();
    }

    private final class Step extends PartsStep {
        private final Request.Enlist enlist;
        private final OwnTransactions own;
        private final String key;

        Step(Request.Enlist request, Session session) {
            super(context, request, session);
            this.enlist = request;
            this.own = OwnTransactions.of(session, transactions);
            this.key = own.key(request.key());
        }

        @Override
        boolean idempotent() {
            return enlist.idempotent();
        }

        @Override
        void propose(TransactionProposal.Parts parts) {
            propose(enlist.begun() ? transactions.id(key) : EnlistedRecord.ANY, parts, null);
        }

        @Override
        void proposeResend(Refused otherwise) {
            propose(Transactions.NONE, new TransactionProposal.Parts(), otherwise);
        }

        /** @param otherwise what to answer when it turns out to be no resend; null if it is no question */
        private void propose(long id, TransactionProposal.Parts parts, @Nullable Refused otherwise) {
            EnlistProposal.Target target = new EnlistProposal.Target(
                    key, id, then(), limits.timeoutMs(enlist.timeoutSeconds()), TransactionAnswers.owner(session));
            long sequence = enlist.idempotent() ? enlist.sequence() : 0;
            transactions
                    .enlist(new Transactions.Addition(target, enlist.producerId(), sequence, parts))
                    .whenComplete((outcome, failure) -> session.later(() -> finish(outcome, failure, otherwise)));
        }

        private EnlistedRecord.Then then() {
            boolean passing = claimsPassing() || transactions.passing().holds(key);
            return enlist.then() == Then.PREPARE && passing
                    ? EnlistedRecord.Then.KEEP
                    : EnlistedRecord.Then.valueOf(enlist.then().name());
        }

        private void finish(
                @Nullable TransactionOutcome outcome, @Nullable Throwable failure, @Nullable Refused otherwise) {
            if (outcome == null) {
                if (otherwise == null) {
                    settle(false);
                }
                Throwable cause = failure == null ? new IllegalStateException("no outcome") : failure;
                answer(ErrorTexts.status(cause), ErrorTexts.text(cause));
            } else if (otherwise != null && outcome.code() == Code.UNKNOWN) {
                refuse(otherwise);
            } else {
                if (otherwise == null) {
                    settled(outcome);
                }
                Response.Result result = enlist.then() == Then.COMMIT
                        ? TransactionAnswers.of(key, outcome, enlist.opaque())
                        : TransactionAnswers.numbered(key, outcome, enlist.opaque());
                answer(result);
            }
        }

        private void settled(TransactionOutcome outcome) {
            if (!outcome.done() || enlist.then() == Then.COMMIT) {
                settle(outcome.done());
                if (outcome.done() || transactions.table().find(key) == null) {
                    own.left(key);
                }
                return;
            }
            List<Held> passing = lock();
            if (!passing.isEmpty()) {
                transactions.passing().hold(key, passing);
            }
            if (outcome.code() == Code.DONE) {
                own.begun(key, session);
            } else {
                own.left(key);
            }
        }
    }
}
