package io.metaq.state.transaction;

import io.metaq.state.Outcome;
import io.metaq.state.Refusal;
import io.metaq.state.record.EnlistedRecord;
import io.metaq.state.record.EnlistedRecord.Then;
import io.metaq.state.record.TransactionRecord;
import io.metaq.state.record.TransactionStep;
import io.metaq.state.record.TransactionStep.Kind;
import io.metaq.state.subscription.MessageRanges;
import io.metaq.state.transaction.Transaction.Phase;
import io.metaq.state.transaction.TransactionOutcome.Code;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What each record does to the transactions. Writer thread. */
public final class TransactionRules {
    private final Ledger ledger;
    private final HeapBudget budget;
    private final TransactionTable table = new TransactionTable();
    private final LargeCommits large;

    public TransactionRules(Ledger ledger, HeapLimits limits) {
        this.ledger = ledger;
        this.budget = new HeapBudget(limits);
        this.large = new LargeCommits(ledger, limits.perTransaction());
    }

    /** The messages of a record's parts. */
    @FunctionalInterface
    public interface Bodies {
        /** Those of one part, position to limit; unchanged until the end of the batch. */
        ByteBuffer of(int part);
    }

    public TransactionTable table() {
        return table;
    }

    /** The journal is replayed: from now on large transactions become readable step by step, by {@link #proceed}. */
    public void live() {
        large.live();
    }

    /** The record that may have committed some has taken effect in all it does. */
    public void recordEnded() throws IOException {
        large.recordEnded();
    }

    /** Copies a slice of a large transaction that is committed. @return whether there is more that can be done now */
    public boolean proceed() throws IOException {
        return large.proceed();
    }

    /** Copies all of what is committed, or as much as there is room for. */
    public void finish() throws IOException {
        large.finish();
    }

    /** Whether large transactions are committed and not readable yet. Any thread. */
    public boolean committing() {
        return !large.isEmpty();
    }

    /** How many large transactions were committed. */
    public long largeCommits() {
        return large.begun();
    }

    /** Runs it once large transactions that are committed are readable; at once when there is none. */
    public void whenReadable(Runnable action) {
        large.whenReadable(action);
    }

    /** From where on messages that are in no log yet need chunks of a companion topic's partition. Any thread. */
    public long chunkFloor(String companion, int partition) {
        // In this order: what leaves the one is in the other before.
        return Math.min(table.chunkFloor(companion, partition), large.chunkFloor(companion, partition));
    }

    /** A topic has gone: what holds messages for it can only be rolled back. */
    public void topicGone(int topicId) {
        table.topicGone(topicId);
    }

    /** The same for a subscription. */
    public void subscriptionGone(int subscriptionId) {
        table.subscriptionGone(subscriptionId);
    }

    /** Adds to a transaction, which may be begun before and ended after. */
    public TransactionOutcome enlist(EnlistedRecord record, Bodies bodies) throws IOException {
        TransactionRecord parts = record.parts();
        if (parts.producerId() != 0) {
            TransactionOutcome before = ledger.resent(parts.producerId(), parts.sequence());
            if (before != null) {
                return before;
            }
        }
        Transaction transaction = table.find(record.key());
        TransactionOutcome misfit = misfit(record, transaction);
        TransactionOutcome outcome = misfit != null ? misfit : enlist(record, transaction, bodies);
        if (parts.producerId() != 0 && outcome.done()) {
            ledger.remember(parts.producerId(), parts.sequence(), outcome, parts.timestampMs());
        }
        return outcome;
    }

    private @Nullable TransactionOutcome misfit(EnlistedRecord record, @Nullable Transaction transaction) {
        if (record.id() == EnlistedRecord.BEGIN) {
            table.rolledBacks().forget(record.key());
            return transaction == null
                    ? null
                    : TransactionOutcome.of(
                            Code.DUPLICATE, transaction.id(), "there is a transaction " + record.key() + " already");
        }
        boolean any = record.id() == EnlistedRecord.ANY;
        RolledBack ended = table.rolledBack(record.key());
        if (transaction == null && ended != null && (any || record.id() == ended.id())) {
            return ended.outcome();
        } else if (!any && (transaction == null || transaction.id() != record.id())) {
            return TransactionOutcome.unknown(record.id());
        }
        return transaction == null || transaction.phase() == Phase.ACTIVE ? null : outOfOrder(transaction);
    }

    private static TransactionOutcome outOfOrder(Transaction transaction) {
        String phase = transaction.phase().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        return TransactionOutcome.of(Code.OUT_OF_ORDER, transaction.id(), "the transaction is " + phase);
    }

    private TransactionOutcome enlist(EnlistedRecord record, @Nullable Transaction transaction, Bodies bodies)
            throws IOException {
        TransactionRecord parts = record.parts();
        Outcome outcome = transaction == null ? Outcome.DONE : checkDoom(transaction);
        if (outcome != Outcome.DONE && transaction != null) {
            return rollBackInstead(transaction, outcome);
        }
        outcome = check(parts);
        if (outcome != Outcome.DONE) {
            if (record.then() == Then.NOTHING) {
                return TransactionOutcome.of(Code.REFUSED, transaction == null ? 0 : transaction.id(), outcome);
            }
            return transaction == null
                    ? TransactionOutcome.of(Code.ROLLED_BACK, 0, outcome)
                    : rollBackInstead(transaction, outcome);
        }
        if (record.then() == Then.COMMIT) {
            return commitWith(parts, transaction, bodies);
        }
        Transaction filled = transaction == null ? begin(record) : transaction;
        hold(filled, parts, bodies);
        return record.then() == Then.NOTHING
                ? TransactionOutcome.of(Code.DONE, filled.id())
                : prepare(filled, record.then() == Then.KEEP, parts.timestampMs());
    }

    /** Everything is looked at before anything is changed. */
    private Outcome check(TransactionRecord parts) {
        for (TransactionRecord.Messages part : parts.messages()) {
            Outcome outcome = ledger.checkTarget(part.topicId(), part.partition());
            if (outcome != Outcome.DONE) {
                return outcome;
            }
        }
        for (TransactionRecord.Acknowledgements part : parts.acknowledged()) {
            Outcome outcome = ledger.checkPending(part.subscriptionId(), part.ranges());
            if (outcome != Outcome.DONE) {
                return outcome;
            }
        }
        return Outcome.DONE;
    }

    private static Outcome checkDoom(Transaction transaction) {
        String doom = transaction.doom();
        return doom == null ? Outcome.DONE : Outcome.refused(Refusal.UNKNOWN_TOPIC, doom);
    }

    private Outcome checkHeld(Transaction transaction) {
        for (Transaction.Waiting held : transaction.waiting()) {
            Outcome outcome = ledger.checkTarget(held.topicId(), held.partition());
            if (outcome != Outcome.DONE) {
                return outcome;
            }
        }
        return checkDoom(transaction);
    }

    private Transaction begin(EnlistedRecord record) {
        long id = table.takeId();
        Transaction begun = new Transaction(id, record, new HeldMessages(ledger, budget, id));
        table.add(begun);
        return begun;
    }

    private void hold(Transaction transaction, TransactionRecord parts, Bodies bodies) throws IOException {
        for (int i = 0; i < parts.messages().size(); i++) {
            TransactionRecord.Messages part = parts.messages().get(i);
            transaction
                    .messages()
                    .add(part.topicId(), part.partition(), part.count(), bodies.of(i), parts.timestampMs());
            transaction.holds(part.topicId(), part.partition(), part.count(), part.bytes());
        }
        for (TransactionRecord.Acknowledgements part : parts.acknowledged()) {
            ledger.lock(part.subscriptionId(), part.ranges());
            transaction.locks(part.subscriptionId(), part.ranges());
        }
    }

    /** What the transaction has, and behind it what comes with the record, which was checked. */
    private TransactionOutcome commitWith(TransactionRecord parts, @Nullable Transaction transaction, Bodies bodies)
            throws IOException {
        if (transaction != null) {
            Outcome outcome = checkHeld(transaction);
            if (outcome != Outcome.DONE) {
                return rollBackInstead(transaction, outcome);
            }
            takeEffect(transaction, parts.timestampMs());
            table.remove(transaction);
        }
        for (int i = 0; i < parts.messages().size(); i++) {
            TransactionRecord.Messages part = parts.messages().get(i);
            ledger.put(part.topicId(), part.partition(), bodies.of(i), part.count(), parts.timestampMs());
        }
        for (TransactionRecord.Acknowledgements part : parts.acknowledged()) {
            ledger.acknowledge(part.subscriptionId(), part.ranges());
        }
        return TransactionOutcome.of(Code.DONE, transaction == null ? 0 : transaction.id());
    }

    /** A step of a transaction that adds nothing to it. */
    public TransactionOutcome step(TransactionStep step) throws IOException {
        Transaction transaction = table.find(step.id());
        if (transaction == null) {
            return afterItsEnd(step);
        }
        return switch (step.kind()) {
            case PREPARE, KEEP ->
                transaction.phase() == Phase.ACTIVE
                        ? prepare(transaction, step.kind() == Kind.KEEP, step.timestampMs())
                        : transaction.phase() == Phase.PREPARED
                                ? TransactionOutcome.of(Code.PREPARED, transaction.id())
                                : outOfOrder(transaction);
            case COMMIT -> commit(transaction, Phase.PREPARED, step.timestampMs());
            case COMMIT_ONE_PHASE -> commit(transaction, Phase.ACTIVE, step.timestampMs());
            case ROLL_BACK -> rollBack(transaction);
            case TIME_OUT, DISCONNECT, RESTART, ABANDON -> {
                if (transaction.phase() != Phase.ACTIVE) {
                    yield outOfOrder(transaction);
                }
                end(transaction, step.kind());
                yield TransactionOutcome.of(Code.DONE, transaction.id());
            }
            case RESOLVE_COMMIT, RESOLVE_ROLLBACK -> resolve(transaction, step);
            case FORGET -> forget(transaction);
        };
    }

    private TransactionOutcome afterItsEnd(TransactionStep step) {
        RolledBack ended = table.rolledBacks().find(step.id());
        if (ended == null) {
            return TransactionOutcome.unknown(step.id());
        }
        if (step.kind() == Kind.ROLL_BACK || step.kind() == Kind.FORGET) {
            table.rolledBacks().forget(ended.key());
            return TransactionOutcome.of(Code.DONE, step.id()).asBefore();
        }
        return ended.outcome();
    }

    /** @param keep whether it is prepared even if it holds nothing */
    private TransactionOutcome prepare(Transaction transaction, boolean keep, long nowMs) throws IOException {
        Outcome outcome = checkHeld(transaction);
        if (outcome != Outcome.DONE) {
            return rollBackInstead(transaction, outcome);
        }
        if (!keep && transaction.isEmpty()) {
            transaction.messages().letGo();
            table.remove(transaction);
            return TransactionOutcome.of(Code.READ_ONLY, transaction.id());
        }
        transaction.prepared(nowMs);
        return TransactionOutcome.of(Code.PREPARED, transaction.id());
    }

    private TransactionOutcome commit(Transaction transaction, Phase from, long nowMs) throws IOException {
        if (transaction.phase() != from) {
            return decided(transaction);
        }
        // A prepared one keeps its promise whatever has been closed meanwhile.
        Outcome outcome = from == Phase.ACTIVE ? checkHeld(transaction) : Outcome.DONE;
        if (outcome != Outcome.DONE) {
            return rollBackInstead(transaction, outcome);
        }
        takeEffect(transaction, nowMs);
        table.remove(transaction);
        return TransactionOutcome.of(Code.DONE, transaction.id());
    }

    private static TransactionOutcome decided(Transaction transaction) {
        return switch (transaction.phase()) {
            case HEURISTICALLY_COMMITTED ->
                TransactionOutcome.of(
                        Code.HEURISTICALLY_COMMITTED, transaction.id(), "an operator has committed the transaction");
            case HEURISTICALLY_ROLLED_BACK ->
                TransactionOutcome.of(
                        Code.HEURISTICALLY_ROLLED_BACK,
                        transaction.id(),
                        "an operator has rolled back the transaction");
            case ACTIVE, PREPARED, ENDED -> outOfOrder(transaction);
        };
    }

    private TransactionOutcome rollBack(Transaction transaction) throws IOException {
        if (transaction.phase() != Phase.ACTIVE && transaction.phase() != Phase.PREPARED) {
            return decided(transaction);
        }
        undo(transaction);
        table.remove(transaction);
        return TransactionOutcome.of(Code.DONE, transaction.id());
    }

    private TransactionOutcome resolve(Transaction transaction, TransactionStep step) throws IOException {
        if (transaction.phase() != Phase.PREPARED) {
            return decided(transaction);
        }
        if (step.kind() == Kind.RESOLVE_COMMIT) {
            takeEffect(transaction, step.timestampMs());
            transaction.phase(Phase.HEURISTICALLY_COMMITTED);
        } else {
            undo(transaction);
            transaction.phase(Phase.HEURISTICALLY_ROLLED_BACK);
        }
        return TransactionOutcome.of(Code.DONE, transaction.id());
    }

    private TransactionOutcome forget(Transaction transaction) {
        if (transaction.phase() == Phase.ACTIVE || transaction.phase() == Phase.PREPARED) {
            return outOfOrder(transaction);
        }
        table.remove(transaction);
        return TransactionOutcome.of(Code.DONE, transaction.id());
    }

    private TransactionOutcome rollBackInstead(Transaction transaction, Outcome why) throws IOException {
        end(transaction, Kind.PREPARE);
        return TransactionOutcome.of(Code.ROLLED_BACK, transaction.id(), why);
    }

    /** Rolls back without having been asked to. */
    private void end(Transaction transaction, Kind cause) throws IOException {
        undo(transaction);
        table.remove(transaction);
        table.rolledBacks().remember(new RolledBack(transaction.id(), transaction.key(), cause));
    }

    private void takeEffect(Transaction transaction, long nowMs) throws IOException {
        transaction.messages().putAll(nowMs, large);
        for (Map.Entry<Integer, MessageRanges> locked : transaction.locks().entrySet()) {
            ledger.acknowledge(locked.getKey(), locked.getValue());
        }
        transaction.messages().letGo();
        transaction.letGo();
    }

    private void undo(Transaction transaction) throws IOException {
        for (Map.Entry<Integer, MessageRanges> locked : transaction.locks().entrySet()) {
            ledger.giveBack(locked.getKey(), locked.getValue());
        }
        transaction.messages().letGo();
        transaction.letGo();
    }

    /** Closes the files of those that have not ended. A stopped broker. */
    public void close() throws IOException {
        for (Transaction transaction : table.all()) {
            transaction.messages().close();
        }
    }

    /** Writes all of them (docs/log-format.md, checkpoint). */
    public void write(DataOutputStream out) throws IOException {
        out.writeLong(table.nextId());
        table.rolledBacks().write(out);
        out.writeInt(table.all().size());
        for (Transaction transaction : table.all()) {
            TransactionFormat.write(out, transaction);
        }
    }

    /** Reads what {@link #write} wrote, into an empty table, and locks again what they acknowledge. */
    public void read(DataInputStream in) throws IOException {
        table.nextId(in.readLong());
        table.rolledBacks().read(in);
        for (int left = in.readInt(); left > 0; left--) {
            Transaction transaction = TransactionFormat.read(in, id -> new HeldMessages(ledger, budget, id));
            table.add(transaction);
            transaction.locks().forEach(ledger::lock);
        }
    }
}
