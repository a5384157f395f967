package io.metaq.broker.transaction;

import io.metaq.broker.stats.TransactionCounters;
import io.metaq.broker.store.Store;
import io.metaq.log.journal.Durability;
import io.metaq.state.EnlistProposal;
import io.metaq.state.TransactionProposal;
import io.metaq.state.TransactionStepProposal;
import io.metaq.state.record.EnlistedRecord;
import io.metaq.state.record.TransactionStep;
import io.metaq.state.transaction.RolledBack;
import io.metaq.state.transaction.Transaction;
import io.metaq.state.transaction.TransactionOutcome;
import io.metaq.state.transaction.TransactionOutcome.Code;
import io.metaq.state.transaction.TransactionTable;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes the transactions of a broker from step to step; each is a record of the journal. Any thread. */
public final class Transactions {
    /** The number of no transaction: what is asked of it takes effect only as the resend of something that did. */
    public static final long NONE = Long.MAX_VALUE;

    private static final Logger LOG = LoggerFactory.getLogger(Transactions.class);

    private final Store store;
    private final TransactionCounters counters;
    private final Clock clock;
    private final PassingAcknowledgements passing = new PassingAcknowledgements();

    public Transactions(Store store, TransactionCounters counters, Clock clock) {
        this.store = store;
        this.counters = counters;
        this.clock = clock;
    }

    public TransactionTable table() {
        return store.state().transactions();
    }

    public PassingAcknowledgements passing() {
        return passing;
    }

    /** The number by which a step names the transaction of this key, even one that was rolled back and not yet asked for. */
    public long id(String key) {
        Transaction transaction = table().find(key);
        if (transaction != null) {
            return transaction.id();
        }
        RolledBack ended = table().rolledBack(key);
        return ended == null ? NONE : ended.id();
    }

    /** A transaction and what is added to it. */
    public record Addition(
            EnlistProposal.Target target, long producerId, long sequence, TransactionProposal.Parts parts) {
        /** One that is not numbered. */
        public Addition(EnlistProposal.Target target, TransactionProposal.Parts parts) {
            this(target, 0, 0, parts);
        }
    }

    /** Adds to a transaction; the future fails if nothing entered the journal. */
    public CompletableFuture<TransactionOutcome> enlist(Addition addition) {
        EnlistProposal.Target target = addition.target();
        boolean known = table().find(target.key()) != null;
        // Until it is prepared a transaction ends with the broker's life: no need to wait for the disk.
        Durability durability = target.then() == EnlistedRecord.Then.NOTHING ? Durability.OS : Durability.DISK;
        CompletableFuture<TransactionOutcome> answer = new CompletableFuture<>();
        store.propose(
                new EnlistProposal(
                        target,
                        addition.producerId(),
                        addition.sequence(),
                        clock.millis(),
                        durability,
                        addition.parts()) {
                    @Override
                    public void committed() {
                        whenReadable(() -> {
                            enlisted(target, known, outcome());
                            answer.complete(outcome());
                        });
                    }

                    @Override
                    public void failed(Throwable cause) {
                        answer.completeExceptionally(cause);
                    }
                });
        return answer;
    }

    private void enlisted(EnlistProposal.Target target, boolean known, TransactionOutcome outcome) {
        if (!known && outcome.done() && !outcome.before()) {
            counters.begun(target.key().startsWith("XID:"));
        }
        if (outcome.code() == Code.ROLLED_BACK || outcome.code() == Code.TIMED_OUT) {
            over(target.key(), false, outcome.before());
        } else if (outcome.done() && target.then() == EnlistedRecord.Then.COMMIT) {
            over(target.key(), true, outcome.before());
        }
    }

    /** Takes a transaction a step further; the future fails if the step did not enter the journal. */
    public CompletableFuture<TransactionOutcome> step(long id, String key, TransactionStep.Kind kind) {
        CompletableFuture<TransactionOutcome> answer = new CompletableFuture<>();
        store.propose(new TransactionStepProposal(new TransactionStep(kind, id, clock.millis()), durability(kind)) {
            @Override
            public void committed() {
                whenReadable(() -> {
                    taken(key, kind, outcome());
                    answer.complete(outcome());
                });
            }

            @Override
            public void failed(Throwable cause) {
                answer.completeExceptionally(cause);
            }
        });
        return answer;
    }

    private static Durability durability(TransactionStep.Kind kind) {
        return switch (kind) {
            case TIME_OUT, DISCONNECT, RESTART, ABANDON -> Durability.OS;
            default -> Durability.DISK;
        };
    }

    private void taken(String key, TransactionStep.Kind kind, TransactionOutcome outcome) {
        if (outcome.code() == Code.ROLLED_BACK || outcome.code() == Code.TIMED_OUT) {
            over(key, false, outcome.before());
        } else if (outcome.code() == Code.DONE) {
            switch (kind) {
                case COMMIT, COMMIT_ONE_PHASE, RESOLVE_COMMIT -> over(key, true, outcome.before());
                case ROLL_BACK, TIME_OUT, DISCONNECT, RESTART, ABANDON, RESOLVE_ROLLBACK ->
                    over(key, false, outcome.before());
                case PREPARE, KEEP, FORGET -> {}
            }
        }
    }

    /** @param before whether it was over before, and so is counted */
    private void over(String key, boolean committed, boolean before) {
        if (!before) {
            counters.ended(committed);
        }
        passing.end(key, committed);
    }

    /** Rolls back what an earlier life of the broker left unprepared, and waits for it. Before the first request. */
    public void afterStart() {
        List<Transaction> left = table().active();
        CompletableFuture<?>[] steps = left.stream()
                .map(each -> step(each.id(), each.key(), TransactionStep.Kind.RESTART))
                .toArray(CompletableFuture[]::new);
        try {
            CompletableFuture.allOf(steps).join();
        } catch (CompletionException e) {
            LOG.error("not all unprepared transactions could be rolled back", e.getCause());
        }
        int prepared = table().prepared().size();
        if (!left.isEmpty() || prepared > 0) {
            LOG.info("{} unprepared transactions were rolled back, {} are in doubt", left.size(), prepared);
        }
    }

    /** Rolls back what takes too long. To be called several times a second. */
    public void expire() {
        for (Transaction late : table().expired(clock.millis())) {
            LOG.info("transaction {} of {} is rolled back: it took too long", late.key(), late.owner());
            step(late.id(), late.key(), TransactionStep.Kind.TIME_OUT);
        }
    }
}
