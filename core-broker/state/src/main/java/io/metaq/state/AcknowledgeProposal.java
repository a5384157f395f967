package io.metaq.state;

import io.metaq.log.journal.Durability;
import io.metaq.log.journal.Proposal;
import io.metaq.state.record.Acknowledged;
import io.metaq.state.record.RecordType;
import io.metaq.state.subscription.MessageRanges;
import java.nio.ByteBuffer;

/**
 * Acknowledgements of one journalled subscription on their way through the journal. Ranges that are acknowledged already
 * stay so: proposing them again does no harm.
 */
public abstract class AcknowledgeProposal extends Proposal {
    private final ByteBuffer body;
    private final Durability durability;
    private long acknowledged;

    /** @param ranges may be used again once this returned */
    protected AcknowledgeProposal(int subscriptionId, MessageRanges ranges, Durability durability) {
        this.body = Acknowledged.encode(subscriptionId, ranges);
        this.durability = durability;
    }

    @Override
    public final byte type() {
        return RecordType.ACKNOWLEDGED;
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

    @Override
    public boolean essential() {
        return true; // what frees space must have room on a full disk
    }

    final void acknowledged(long messages) {
        acknowledged = messages;
    }

    /** How many messages were pending and are acknowledged now; to be asked when committed. */
    public final long acknowledged() {
        return acknowledged;
    }
}
