package io.metaq.state;

import io.metaq.log.journal.Durability;
import io.metaq.state.record.EnlistedRecord;
import io.metaq.state.record.RecordType;
import io.metaq.state.record.TransactionRecord;
import io.metaq.state.transaction.TransactionOutcome;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Messages and acknowledgements on their way into a transaction, which may be begun before and prepared or committed after that
 * in the same step. The messages wait in the transaction; what is acknowledged is locked until it ends.
 */
public abstract class EnlistProposal extends PartsProposal {
    private final EnlistedRecord enlisted;
    private @Nullable TransactionOutcome outcome;
    private Consumer<Runnable> readable = Runnable::run;

    /**
     * Which transaction, and how it goes on.
     *
     * @param key how its coordinator calls it
     * @param id its number, as {@link io.metaq.state.transaction.TransactionTable#find} tells it; {@link EnlistedRecord#ANY} to
     *     begin it where there is none of this key, {@link EnlistedRecord#BEGIN} where there must be none
     * @param then whether it is prepared or committed with this
     * @param timeoutMs how long it may stay unprepared if it is begun by this; 0 = for ever
     * @param owner whose it is, for people
     */
    public record Target(String key, long id, EnlistedRecord.Then then, long timeoutMs, String owner) {}

    /**
     * @param producerId identity for recognising a resend; 0 for none
     * @param sequence number of the step among the producer's
     * @param parts may be empty: to begin one, or to prepare or commit what it has
     */
    protected EnlistProposal(
            Target target,
            long producerId,
            long sequence,
            long timestampMs,
            Durability durability,
            TransactionProposal.Parts parts) {
        this(enlisted(target, parts.record(producerId, sequence, timestampMs)), durability, parts);
    }

    private EnlistProposal(EnlistedRecord enlisted, Durability durability, TransactionProposal.Parts parts) {
        super(enlisted.parts(), enlisted.encode(), parts.bodies(), durability);
        this.enlisted = enlisted;
    }

    private static EnlistedRecord enlisted(Target target, TransactionRecord parts) {
        return new EnlistedRecord(target.id(), target.then(), target.timeoutMs(), target.key(), target.owner(), parts);
    }

    @Override
    public final byte type() {
        return RecordType.TRANSACTION_ENLISTED;
    }

    final EnlistedRecord enlisted() {
        return enlisted;
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
