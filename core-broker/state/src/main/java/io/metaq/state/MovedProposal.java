package io.metaq.state;

import io.metaq.log.journal.Durability;
import io.metaq.log.journal.Proposal;
import io.metaq.state.record.MessageRecord;
import io.metaq.state.record.MovedRecord;
import io.metaq.state.record.RecordType;
import java.nio.ByteBuffer;

/**
 * Messages on their way from a subscription to another topic (dead letter, expiry, an operator's move): acknowledged here
 * and stored there in one step, or neither. Refused when any of them is acknowledged already.
 */
public abstract class MovedProposal extends Proposal {
    private final MovedRecord moved;
    private final MessageRecord target;
    private final Durability durability;
    private final ByteBuffer head = ByteBuffer.allocate(MovedRecord.HEAD_BYTES + MessageRecord.HEAD_BYTES);
    private final ByteBuffer messages;
    private Outcome outcome = Outcome.DONE;

    /**
     * @param moved what is acknowledged; for a transient subscription, which no record changes, its number is 0 and its
     *     owner acknowledges
     * @param target where the copies go
     * @param messages {@code target.count()} whole stored messages, position to limit; untouched until this is committed
     *     or failed
     */
    protected MovedProposal(MovedRecord moved, MessageRecord target, Durability durability, ByteBuffer messages) {
        this.moved = moved;
        this.target = target;
        this.durability = durability;
        this.messages = messages;
        moved.write(head);
        target.write(head);
        head.flip();
    }

    @Override
    public final byte type() {
        return RecordType.MOVED;
    }

    @Override
    public final Durability durability() {
        return durability;
    }

    @Override
    public final int bodyLength() {
        return head.limit() + messages.remaining();
    }

    @Override
    public final int body(ByteBuffer[] into, int at) {
        into[at] = head.duplicate();
        into[at + 1] = messages.duplicate();
        return 2;
    }

    final MovedRecord moved() {
        return moved;
    }

    final MessageRecord target() {
        return target;
    }

    final ByteBuffer messages() {
        return messages;
    }

    final void outcome(Outcome now) {
        outcome = now;
    }

    /** What became of it; to be asked when committed. */
    public final Outcome outcome() {
        return outcome;
    }
}
