package io.metaq.broker.command;

import io.metaq.broker.net.CommandHandler;
import io.metaq.broker.net.Session;
import io.metaq.broker.transaction.OwnTransactions;
import io.metaq.broker.transaction.TransactionLimits;
import io.metaq.broker.transaction.Transactions;
import io.metaq.protocol.Request;
import io.metaq.protocol.Request.Transaction.Step;
import io.metaq.protocol.Response;
import io.metaq.protocol.Status;
import io.metaq.protocol.TransactionKey;
import io.metaq.state.EnlistProposal;
import io.metaq.state.TransactionProposal;
import io.metaq.state.record.EnlistedRecord;
import io.metaq.state.record.TransactionStep;
import io.metaq.state.transaction.Transaction;
import io.metaq.state.transaction.TransactionOutcome;
import io.metaq.state.transaction.TransactionOutcome.Code;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * {@code transaction}, as 1.4 had it. Local transactions are those of their connection; branches of global ones are known
 * to all connections.
 */
final class TransactionHandler implements CommandHandler {
    private static final int PROTOCOL_ERROR = -3;
    private static final int NOT_KNOWN = -4;

    /** 1.4's words. */
    private static final String NOT_PREPARED = "Cannot do 2 phase commit if the transaction has not been prepared.";

    private final Transactions transactions;
    private final TransactionLimits limits;

    TransactionHandler(Transactions transactions, TransactionLimits limits) {
        this.transactions = transactions;
        this.limits = limits;
    }

    @Override
    public void handle(Request request, Session session) {
        Request.Transaction asked = (Request.Transaction) request;
        if (meansAnother(asked, session)) {
            notStarted(asked, session);
            return;
        }
        switch (asked.step()) {
            case END -> {
                // 1.4 never answers it, and its clients take no answer.
            }
            case RECOVER -> session.reply(Status.OK, inDoubt(asked.uniqueQualifier()), asked.opaque());
            case BEGIN -> begin(asked, session);
            case PREPARE -> prepare(asked, session);
            case FORGET -> forget(asked, session);
            case COMMIT_ONE_PHASE, COMMIT_TWO_PHASE, ROLLBACK -> end(asked, session);
        }
    }

    /** Whether the step is late: it names a transaction that has ended, and there is another one of its key. */
    private boolean meansAnother(Request.Transaction asked, Session session) {
        if (asked.number() == Request.ABSENT || asked.step() == Step.END) {
            return false;
        }
        long id = transactions.id(OwnTransactions.of(session, transactions).key(asked.key()));
        return id != Transactions.NONE && id != asked.number();
    }

    /** The number that the client named rather than that of whatever has the key by now. */
    private long named(Request.Transaction asked, String key) {
        long id = transactions.id(key);
        return id == Transactions.NONE || asked.number() == Request.ABSENT ? id : asked.number();
    }

    /** What a coordinator has to decide on. */
    private String inDoubt(@Nullable String qualifier) {
        return transactions.table().prepared().stream()
                .map(Transaction::key)
                .filter(key -> qualifier == null || qualifier.equals(qualifier(key)))
                .collect(Collectors.joining("\r\n"));
    }

    private static @Nullable String qualifier(String key) {
        return TransactionKey.parse(key) instanceof TransactionKey.Xa branch ? branch.uniqueQualifier() : null;
    }

    private void begin(Request.Transaction asked, Session session) {
        if (asked.key() instanceof TransactionKey.Null) {
            notStarted(asked, session);
            return;
        }
        OwnTransactions own = OwnTransactions.of(session, transactions);
        String key = own.key(asked.key());
        Transaction there = transactions.table().find(key);
        if (there != null && there.phase() == Transaction.Phase.ACTIVE) {
            // 1.4's clients join a branch by beginning it again.
            session.reply(Status.OK, "", asked.opaque());
            return;
        }
        String owner = TransactionAnswers.owner(session) + " session " + asked.session();
        EnlistProposal.Target target = new EnlistProposal.Target(
                key,
                EnlistedRecord.BEGIN,
                EnlistedRecord.Then.NOTHING,
                limits.timeoutMs(asked.timeoutSeconds()),
                owner);
        CompletableFuture<TransactionOutcome> begun =
                transactions.enlist(new Transactions.Addition(target, new TransactionProposal.Parts()));
        answer(begun, asked, session, outcome -> {
            if (outcome.done()) {
                own.begun(key, session);
            }
            return TransactionAnswers.of(asked.key().token(), outcome, asked.opaque());
        });
    }

    private void prepare(Request.Transaction asked, Session session) {
        String key = asked.key().token();
        if (!(asked.key() instanceof TransactionKey.Xa)) {
            session.reply(
                    Status.FAILED,
                    TransactionAnswers.error(PROTOCOL_ERROR, "Prepare not implemented on Local Transactions."),
                    asked.opaque());
            return;
        }
        Transaction there = transactions.table().find(key);
        if (there != null && there.phase() == Transaction.Phase.PREPARED) {
            // Asked again after a lost answer.
            session.reply(Status.OK, TransactionAnswers.PREPARED, asked.opaque());
            return;
        }
        OwnTransactions own = OwnTransactions.of(session, transactions);
        boolean passing = transactions.passing().holds(key);
        TransactionStep.Kind kind = passing ? TransactionStep.Kind.KEEP : TransactionStep.Kind.PREPARE;
        answer(transactions.step(named(asked, key), key, kind), asked, session, outcome -> {
            if (outcome.code() != Code.OUT_OF_ORDER) {
                own.left(key);
            }
            return TransactionAnswers.of(key, outcome, asked.opaque());
        });
    }

    private void end(Request.Transaction asked, Session session) {
        OwnTransactions own = OwnTransactions.of(session, transactions);
        String key = own.key(asked.key());
        boolean global = asked.key() instanceof TransactionKey.Xa;
        long id = named(asked, key);
        if (id == Transactions.NONE) {
            notStarted(asked, session);
            return;
        }
        TransactionStep.Kind kind = kind(asked.step(), global);
        answer(transactions.step(id, key, kind), asked, session, outcome -> {
            if (outcome.code() != Code.OUT_OF_ORDER) {
                own.left(key);
            }
            return ended(asked, global, outcome);
        });
    }

    private static TransactionStep.Kind kind(Step step, boolean global) {
        return switch (step) {
            case ROLLBACK -> TransactionStep.Kind.ROLL_BACK;
            case COMMIT_TWO_PHASE -> global ? TransactionStep.Kind.COMMIT : TransactionStep.Kind.COMMIT_ONE_PHASE;
            default -> TransactionStep.Kind.COMMIT_ONE_PHASE;
        };
    }

    private static Response.Result ended(Request.Transaction asked, boolean global, TransactionOutcome outcome) {
        boolean over = outcome.code() == Code.ROLLED_BACK || outcome.code() == Code.TIMED_OUT;
        if (over && asked.step() == Step.ROLLBACK) {
            // Rolled back before it was asked for: just what is wanted.
            return new Response.Result(Status.OK, "", asked.opaque());
        } else if (outcome.code() == Code.OUT_OF_ORDER && asked.step() == Step.COMMIT_TWO_PHASE) {
            String text = TransactionAnswers.error(outcome.code().xaCode(), NOT_PREPARED);
            return new Response.Result(Status.FAILED, text, asked.opaque());
        } else if (outcome.done() || global) {
            return TransactionAnswers.of(asked.key().token(), outcome, asked.opaque());
        }
        String text = outcome.code() == Code.UNKNOWN
                ? TransactionAnswers.notStarted(asked.key().token())
                : outcome.text();
        return new Response.Result(Status.FAILED, text, asked.opaque());
    }

    private void forget(Request.Transaction asked, Session session) {
        String key = asked.key().token();
        if (!(asked.key() instanceof TransactionKey.Xa)) {
            session.reply(
                    Status.FAILED,
                    TransactionAnswers.error(NOT_KNOWN, TransactionAnswers.notStarted(key)),
                    asked.opaque());
            return;
        }
        Transaction there = transactions.table().find(key);
        if (there == null) {
            session.reply(Status.OK, "", asked.opaque());
            return;
        }
        answer(
                transactions.step(there.id(), key, TransactionStep.Kind.FORGET),
                asked,
                session,
                outcome -> TransactionAnswers.of(key, outcome, asked.opaque()));
    }

    private static void notStarted(Request.Transaction asked, Session session) {
        String text = TransactionAnswers.notStarted(asked.key().token());
        session.reply(
                Status.FAILED,
                asked.key() instanceof TransactionKey.Xa ? TransactionAnswers.error(NOT_KNOWN, text) : text,
                asked.opaque());
    }

    private interface Answer {
        Response.Result to(TransactionOutcome outcome);
    }

    /** Answers a step once it is applied; what the client asks after it is looked at only then. */
    private static void answer(
            CompletableFuture<TransactionOutcome> step, Request.Transaction asked, Session session, Answer answer) {
        session.hold();
        step.whenComplete((outcome, failure) -> session.later(() -> {
            session.reply(
                    outcome != null
                            ? answer.to(outcome)
                            : new Response.Result(
                                    ErrorTexts.status(failure), ErrorTexts.text(failure), asked.opaque()));
            session.release();
        }));
    }
}
