package io.metaq.state.record;

import java.nio.ByteBuffer;

/**
 * The beginning of a record that moves messages; a {@link MessageRecord} and the copies follow.
 *
 * @param subscriptionId whose messages they are; 0 for a transient one, of which the journal knows nothing
 * @param from offset of the first message that is acknowledged
 * @param to offset behind the last one
 * @param messages how many that are
 */
public record MovedRecord(int subscriptionId, int partition, long from, long to, int messages) {
    /** Bytes of the fixed part. */
    public static final int HEAD_BYTES = 32;

    public void write(ByteBuffer to) {
        to.putInt(subscriptionId)
                .putInt(partition)
                .putLong(from)
                .putLong(this.to)
                .putInt(messages)
                .putInt(0);
    }

    /** Reads at the buffer's position and leaves the position at the {@link MessageRecord}. */
    public static MovedRecord read(ByteBuffer from) {
        MovedRecord moved =
                new MovedRecord(from.getInt(), from.getInt(), from.getLong(), from.getLong(), from.getInt());
        from.getInt();
        return moved;
    }
}
