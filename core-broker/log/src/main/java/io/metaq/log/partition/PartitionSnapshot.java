package io.metaq.log.partition;

import java.nio.ByteBuffer;

/**
 * What a checkpoint remembers of a partition log.
 *
 * @param startOffset first offset that can be read
 * @param endOffset offset after the last message
 * @param messageCount messages between the two
 * @param appendedMessages messages ever appended
 * @param lastAppendMs append time of the newest message, milliseconds since 1970; 0 when there was none
 */
public record PartitionSnapshot(
        long startOffset, long endOffset, long messageCount, long appendedMessages, long lastAppendMs) {

    /** A partition that never had a message. */
    public static final PartitionSnapshot EMPTY = new PartitionSnapshot(0, 0, 0, 0, 0);

    /** Length of the encoded form. */
    public static final int BYTES = 40;

    public void writeTo(ByteBuffer out) {
        out.putLong(startOffset)
                .putLong(endOffset)
                .putLong(messageCount)
                .putLong(appendedMessages)
                .putLong(lastAppendMs);
    }

    public static PartitionSnapshot readFrom(ByteBuffer in) {
        return new PartitionSnapshot(in.getLong(), in.getLong(), in.getLong(), in.getLong(), in.getLong());
    }
}
