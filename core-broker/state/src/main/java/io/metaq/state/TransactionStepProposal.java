package io.metaq.state;

import io.metaq.log.journal.Durability;
import io.metaq.log.journal.Proposal;
import io.metaq.state.record.RecordType;
import io.metaq.state.record.TransactionStep;
import io.metaq.state.transaction.TransactionOutcome;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A step of a transaction that adds nothing to it, on its way through the journal: prepare, commit, roll back, forget. */
public abstract class TransactionStepProposal extends Proposal {
    private final TransactionStep step;
    private final Durability durability;
    private final ByteBuffer body;
    private @Nullable TransactionOutcome outcome;
    private Consumer<Runnable> readable = Runnable::run;

    protected TransactionStepProposal(TransactionStep step, Durability durability) {
        this.step = step;
        this.durability = durability;
        this.body = step.encode();
    }

    @Override
    public final byte type() {
        return step.kind().type();
    }

    @Override
    public final Durability durability() {
        return durability;
    }

    @Override
    public final int bodyLength() {
        return body.limit();
    }

    @Override
    public final int body(ByteBuffer[] into, int at) {
        into[at] = body.duplicate();
        return 1;
    }

    /** To end one without its messages makes room; to prepare or commit one needs some. */
    @Override
    public boolean essential() {
        return type() != RecordType.TRANSACTION_PREPARED && type() != RecordType.TRANSACTION_COMMITTED;
    }

    final void outcome(TransactionOutcome now) {
        outcome = now;
    }

    final void readable(Consumer<Runnable> later) {
        readable = later;
    }

    /**
     * Runs it when what was committed can be read: at once, but for a large transaction. To be called when committed; runs on the
     * writer thread.
     */
    protected final void whenReadable(Runnable action) {
        readable.accept(action);
    }

    /** What became of it; to be asked when committed. */
    public final TransactionOutcome outcome() {
        return Objects.requireNonNull(outcome, "asked before it was applied");
    }
}
