package io.metaq.state.record;

import java.nio.ByteBuffer;

/**
 * The fixed head of a journal record that carries messages; the messages follow in their stored form.
 *
 * @param topicId number of the topic, unique for the life of the broker's data
 * @param partition index of the partition
 * @param timestampMs when the broker took the batch, milliseconds since the epoch
 * @param producerId identity for recognising a resend; 0 for none
 * @param sequence number of the batch's first message among the producer's messages
 * @param count messages in the batch
 */
public record MessageRecord(int topicId, int partition, long timestampMs, long producerId, long sequence, int count) {
    /** Bytes of the head. */
    public static final int HEAD_BYTES = 40;
    /** Bytes of a stored message's header. */
    public static final int MESSAGE_HEADER_BYTES = 20;

    /** Where in a stored message its id stands. */
    public static final int MESSAGE_ID_AT = 8;

    /** Where its flag stands. */
    public static final int FLAG_AT = 16;

    /** Writes the head at the buffer's position. */
    public void write(ByteBuffer to) {
        to.putInt(topicId)
                .putInt(partition)
                .putLong(timestampMs)
                .putLong(producerId)
                .putLong(sequence)
                .putInt(count)
                .putInt(0);
    }

    /** Reads the head at the buffer's position and leaves the position at the first message. */
    public static MessageRecord read(ByteBuffer from) {
        MessageRecord head = new MessageRecord(
                from.getInt(), from.getInt(), from.getLong(), from.getLong(), from.getLong(), from.getInt());
        from.getInt();
        return head;
    }

    /**
     * Numbers the messages in {@code messages} from {@code firstId} upwards, in place.
     *
     * @param messages whole stored messages from position to limit; position and limit stay as they are
     * @return the bits that are set in any message's flag
     */
    public static int assignIds(ByteBuffer messages, long firstId) {
        long id = firstId;
        int flags = 0;
        int at = messages.position();
        while (at < messages.limit()) {
            messages.putLong(at + MESSAGE_ID_AT, id++);
            flags |= messages.getInt(at + FLAG_AT);
            at += MESSAGE_HEADER_BYTES + messages.getInt(at);
        }
        return flags;
    }
}
