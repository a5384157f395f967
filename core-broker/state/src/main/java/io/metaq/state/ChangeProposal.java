package io.metaq.state;

import io.metaq.log.journal.Durability;
import io.metaq.log.journal.Proposal;
import io.metaq.state.record.Change;
import java.nio.ByteBuffer;

/** A change on its way through the journal. */
public abstract class ChangeProposal extends Proposal {
    private final byte type;
    private final Durability durability;
    private final ByteBuffer body;
    private Outcome outcome = Outcome.DONE;

    protected ChangeProposal(Change change, Durability durability) {
        this.type = change.type();
        this.durability = durability;
        this.body = change.encode();
    }

    @Override
    public final byte type() {
        return type;
    }

    @Override
    public final Durability durability() {
        return durability;
    }

    @Override
    public final int bodyLength() {
        return body.remaining();
    }

    @Override
    public final int body(ByteBuffer[] into, int at) {
        into[at] = body.duplicate();
        return 1;
    }

    @Override
    public boolean essential() {
        // A full disk is healed by what frees space: consumers' positions, trims, deletions. They are small.
        return true;
    }

    final void outcome(Outcome now) {
        outcome = now;
    }

    /** What became of the change; to be asked when committed. */
    public final Outcome outcome() {
        return outcome;
    }
}
