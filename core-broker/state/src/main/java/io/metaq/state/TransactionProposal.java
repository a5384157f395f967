package io.metaq.state;

import io.metaq.log.journal.Durability;
import io.metaq.log.journal.Proposal;
import io.metaq.state.record.RecordType;
import io.metaq.state.record.TransactionRecord;
import io.metaq.state.record.TransactionRecord.Acknowledgements;
import io.metaq.state.record.TransactionRecord.Messages;
import io.metaq.state.subscription.MessageRanges;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A local transaction on its way through the journal: all of it takes effect in one step, or nothing does. It is refused
 * when a topic or subscription is gone, a partition is closed, or a message that it acknowledges is not pending any more.
 */
public abstract class TransactionProposal extends Proposal {
    private final TransactionRecord record;
    private final Durability durability;
    private final ByteBuffer head;
    private final ByteBuffer[] messages;
    private final int length;
    private Outcome outcome = Outcome.DONE;

    /**
     * What the transaction does.
     *
     * <pre>{@code
     * new TransactionProposal.Parts()
     *         .messages(topic.id(), 0, 3, threeStoredMessages)
     *         .acknowledge(subscription.id(), ranges)
     * }</pre>
     */
    public static final class Parts {
        private final List<Messages> messages = new ArrayList<>();
        private final List<ByteBuffer> bodies = new ArrayList<>();
        private final List<Acknowledgements> acknowledged = new ArrayList<>();

        /** {@code count} whole stored messages, position to limit; untouched until the proposal is committed or failed. */
        public Parts messages(int topicId, int partition, int count, ByteBuffer stored) {
            messages.add(new Messages(topicId, partition, count, stored.remaining()));
            bodies.add(stored);
            return this;
        }

        /** Acknowledges on a journalled subscription; the ranges are not to be changed any more. */
        public Parts acknowledge(int subscriptionId, MessageRanges ranges) {
            acknowledged.add(new Acknowledgements(subscriptionId, ranges));
            return this;
        }

        public boolean isEmpty() {
            return messages.isEmpty() && acknowledged.isEmpty();
        }
    }

    /**
     * @param producerId identity for recognising a resend; 0 for none
     * @param sequence number of the transaction among the producer's
     */
    protected TransactionProposal(
            long producerId, long sequence, long timestampMs, Durability durability, Parts parts) {
        this.record = new TransactionRecord(producerId, sequence, timestampMs, parts.messages, parts.acknowledged);
        this.durability = durability;
        this.head = record.encode();
        this.messages = bodies(parts.bodies);
        int bytes = head.limit();
        for (ByteBuffer body : messages) {
            bytes += body.remaining();
        }
        this.length = bytes;
    }

    /** The journal takes a body in few pieces: many small ones are copied together. */
    private static ByteBuffer[] bodies(List<ByteBuffer> bodies) {
        if (bodies.size() < MAX_PARTS) {
            return bodies.toArray(ByteBuffer[]::new);
        }
        int bytes = 0;
        for (ByteBuffer body : bodies) {
            bytes += body.remaining();
        }
        ByteBuffer all = ByteBuffer.allocate(bytes);
        for (ByteBuffer body : bodies) {
            all.put(body.duplicate());
        }
        return new ByteBuffer[] {all.flip()};
    }

    @Override
    public final byte type() {
        return RecordType.TRANSACTION;
    }

    @Override
    public final Durability durability() {
        return durability;
    }

    @Override
    public final int bodyLength() {
        return length;
    }

    @Override
    public final int body(ByteBuffer[] into, int at) {
        into[at] = head.duplicate();
        for (int i = 0; i < messages.length; i++) {
            into[at + 1 + i] = messages[i].duplicate();
        }
        return 1 + messages.length;
    }

    final TransactionRecord record() {
        return record;
    }

    /** The messages of a part in one piece. */
    final ByteBuffer messages(int part) {
        if (messages.length == record.messages().size()) {
            return messages[part].duplicate();
        }
        int at = messages[0].position();
        for (int i = 0; i < part; i++) {
            at += record.messages().get(i).bytes();
        }
        return messages[0]
                .duplicate()
                .limit(at + record.messages().get(part).bytes())
                .position(at);
    }

    final void outcome(Outcome now) {
        outcome = now;
    }

    /** What became of the transaction; to be asked when committed. */
    public final Outcome outcome() {
        return outcome;
    }
}
