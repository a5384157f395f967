package io.metaq.log.partition;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Buffers that wait to be written to one segment with one gathering write. */
final class StagedRun {

    private final PartitionSegment segment;
    private final long offset;
    private ByteBuffer[] buffers = new ByteBuffer[8];
    private int[] positions = new int[8];
    private int count;

    /** How many of the buffers, from the first on, are copies of our own. */
    private int owned;

    private long bytes;

    StagedRun(PartitionSegment segment, long offset) {
        this.segment = segment;
        this.offset = offset;
    }

    PartitionSegment segment() {
        return segment;
    }

    /** Partition offset of the first byte. */
    long offset() {
        return offset;
    }

    long bytes() {
        return bytes;
    }

    long end() {
        return offset + bytes;
    }

    void add(ByteBuffer buffer) {
        if (count == buffers.length) {
            buffers = Arrays.copyOf(buffers, 2 * count);
            positions = Arrays.copyOf(positions, 2 * count);
        }
        buffers[count] = buffer;
        positions[count] = buffer.position();
        count++;
        bytes += buffer.remaining();
    }

    ByteBuffer[] buffers() {
        return buffers;
    }

    int count() {
        return count;
    }

    /**
     * The write failed: the buffers are made whole again, and those that belong to others are copied, because their
     * owners take them back after the flush.
     */
    void keep() {
        for (int i = 0; i < count; i++) {
            buffers[i].position(positions[i]);
        }
        for (int i = owned; i < count; i++) {
            ByteBuffer copy = ByteBuffer.allocate(buffers[i].remaining());
            copy.put(buffers[i]).flip();
            buffers[i] = copy;
            positions[i] = 0;
        }
        owned = count;
    }
}
