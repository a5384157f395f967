package io.metaq.broker.command;

import io.metaq.broker.net.CommandHandler;
import io.metaq.broker.net.Session;
import io.metaq.broker.stats.TransactionCounters;
import io.metaq.broker.store.Store;
import io.metaq.broker.subscription.Refused;
import io.metaq.log.journal.Durability;
import io.metaq.protocol.Request;
import io.metaq.protocol.Status;
import io.metaq.state.Outcome;
import io.metaq.state.Refusal;
import io.metaq.state.TransactionProposal;
import io.metaq.state.subscription.MessageRanges;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/** {@code transact}: a local transaction as one record. */
final class TransactHandler implements CommandHandler {
    /** No subscription has it: a record that acknowledges on it takes effect only as the resend of one that did. */
    private static final int NO_SUBSCRIPTION = -1;

    private final HandlerContext context;
    private final Store store;
    private final TransactionCounters counters;
    private final Clock clock;

    TransactHandler(HandlerContext context) {
        this.context = context;
        this.store = context.store();
        this.counters = context.counters().transactions();
        this.clock = context.clock();
    }

    @Override
    public void handle(Request request, Session session) {
        new Step((Request.Transact) request, session).start();
    }

    private final class Step extends PartsStep {
        private final Request.Transact transact;

        Step(Request.Transact request, Session session) {
            super(context, request, session);
            this.transact = request;
        }

        @Override
        boolean idempotent() {
            return transact.idempotent();
        }

        @Override
        void propose(TransactionProposal.Parts parts) {
            if (parts.isEmpty()) {
                finish(Outcome.DONE, null, null);
            } else {
                propose(parts, null);
            }
        }

        @Override
        void proposeResend(Refused otherwise) {
            propose(
                    new TransactionProposal.Parts().acknowledge(NO_SUBSCRIPTION, MessageRanges.of(0, 0, 1, 1)),
                    otherwise);
        }

        /** @param otherwise what to answer when the record turns out to be no resend; null if it is no question */
        private void propose(TransactionProposal.Parts parts, @Nullable Refused otherwise) {
            store.propose(
                    new TransactionProposal(
                            transact.producerId(),
                            transact.idempotent() ? transact.sequence() : 0,
                            clock.millis(),
                            Durability.DISK,
                            parts) {
                        @Override
                        public void committed() {
                            session.answered(() -> finish(outcome(), null, otherwise));
                        }

                        @Override
                        public void failed(Throwable cause) {
                            session.later(() -> finish(Outcome.DONE, cause, otherwise));
                        }
                    });
        }

        private void finish(Outcome outcome, @Nullable Throwable failure, @Nullable Refused otherwise) {
            boolean done = failure == null && outcome instanceof Outcome.Done;
            if (otherwise == null) {
                settle(done);
            }
            if (failure != null) {
                answer(ErrorTexts.status(failure), ErrorTexts.text(failure));
            } else if (done) {
                if (!((Outcome.Done) outcome).before()) {
                    counters.begun(false);
                    counters.ended(true);
                }
                answer(Status.OK, "");
            } else if (outcome instanceof Outcome.Refused refused) {
                if (otherwise != null && refused.reason() == Refusal.UNKNOWN_SUBSCRIPTION) {
                    refuse(otherwise);
                } else {
                    answer(ErrorTexts.status(refused.reason()), refused.text());
                }
            }
        }
    }
}
