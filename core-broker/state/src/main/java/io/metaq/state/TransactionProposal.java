package io.metaq.state;

import io.metaq.log.journal.Durability;
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
public abstract class TransactionProposal extends PartsProposal {
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

        TransactionRecord record(long producerId, long sequence, long timestampMs) {
            return new TransactionRecord(producerId, sequence, timestampMs, messages, acknowledged);
        }

        List<ByteBuffer> bodies() {
            return bodies;
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
        this(parts.record(producerId, sequence, timestampMs), durability, parts);
    }

    private TransactionProposal(TransactionRecord record, Durability durability, Parts parts) {
        super(record, record.encode(), parts.bodies(), durability);
    }

    @Override
    public final byte type() {
        return RecordType.TRANSACTION;
    }

    final void outcome(Outcome now) {
        outcome = now;
    }

    /** What became of the transaction; to be asked when committed. */
    public final Outcome outcome() {
        return outcome;
    }
}
