package io.metaq.state.record;

import io.metaq.state.subscription.MessageRanges;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The head of a record that holds a local transaction: messages to several partitions and acknowledgements of several
 * subscriptions, in effect in one step. The messages follow it, part after part, in their stored form.
 *
 * @param producerId identity for recognising a resend; 0 for none
 * @param sequence number of the transaction among the producer's
 * @param timestampMs when the broker took it, milliseconds since the epoch
 */
public record TransactionRecord(
        long producerId,
        long sequence,
        long timestampMs,
        List<Messages> messages,
        List<Acknowledgements> acknowledged) {

    private static final int FIXED_BYTES = 32;
    private static final int MESSAGES_BYTES = 16;

    /**
     * @param bytes of the stored messages
     */
    public record Messages(int topicId, int partition, int count, int bytes) {}

    /** What a subscription acknowledges. */
    public record Acknowledgements(int subscriptionId, MessageRanges ranges) {}

    public TransactionRecord {
        messages = List.copyOf(messages);
        acknowledged = List.copyOf(acknowledged);
    }

    public ByteBuffer encode() {
        int bytes = FIXED_BYTES + MESSAGES_BYTES * messages.size();
        for (Acknowledgements part : acknowledged) {
            bytes += Integer.BYTES + Acknowledged.bytes(part.subscriptionId(), part.ranges());
        }
        ByteBuffer head = ByteBuffer.allocate(bytes);
        head.putLong(producerId).putLong(sequence).putLong(timestampMs);
        head.putInt(messages.size()).putInt(acknowledged.size());
        for (Messages part : messages) {
            head.putInt(part.topicId())
                    .putInt(part.partition())
                    .putInt(part.count())
                    .putInt(part.bytes());
        }
        for (Acknowledgements part : acknowledged) {
            head.putInt(Acknowledged.bytes(part.subscriptionId(), part.ranges()));
            Acknowledged.write(head, part.subscriptionId(), part.ranges());
        }
        return head.flip();
    }

    /**
     * Reads the head at the buffer's position and leaves the position at the first message.
     *
     * @throws IllegalArgumentException for a body that ends early
     */
    public static TransactionRecord read(ByteBuffer from) {
        try {
            long producerId = from.getLong();
            long sequence = from.getLong();
            long timestampMs = from.getLong();
            int messageParts = from.getInt();
            int acknowledgedParts = from.getInt();
            List<Messages> messages = new ArrayList<>();
            for (int i = 0; i < messageParts; i++) {
                messages.add(new Messages(from.getInt(), from.getInt(), from.getInt(), from.getInt()));
            }
            List<Acknowledgements> acknowledged = new ArrayList<>();
            for (int i = 0; i < acknowledgedParts; i++) {
                int length = from.getInt();
                ByteBuffer part = from.slice(from.position(), length);
                from.position(from.position() + length);
                MessageRanges ranges = new MessageRanges();
                acknowledged.add(new Acknowledgements(Acknowledged.read(part, ranges), ranges));
            }
            return new TransactionRecord(producerId, sequence, timestampMs, messages, acknowledged);
        } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
            throw new IllegalArgumentException("transaction ends early", e);
        }
    }
}
