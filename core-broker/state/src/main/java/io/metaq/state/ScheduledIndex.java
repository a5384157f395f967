package io.metaq.state;

import io.metaq.state.format.NumberBlock;
import io.metaq.state.format.Varints;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The messages of a partition whose place in the log is not their turn: those of another priority than the usual one and
 * those with a delivery time. In log order; grows at its end, or where a large transaction has its place, and shrinks at its
 * beginning. Read by any thread while one appends.
 *
 * <p>An entry is needed while a subscription may still deliver its message, or the message is not due. Journalled
 * subscriptions alone decide which entries a checkpoint has, since those of others are not in the journal.
 */
public final class ScheduledIndex {
    private static final byte FOR_TRANSIENT_ONLY = 0x40;
    private static final byte PRIORITY_BITS = 0x0f;
    private static final int SMALL = 256;

    private long[] offsets = {};
    private long[] deliveryTimesMs = {};
    private byte[] priorities = {};
    private int size;
    private int sizeAfterTrim;

    /** Told of each entry. */
    @FunctionalInterface
    public interface Visitor {
        /**
         * @param priority 0 to 9; 4 is the usual one
         * @param deliveryTimeMs before when the message must not be delivered, milliseconds since 1970; 0 = at once
         */
        void scheduled(long offset, int priority, long deliveryTimeMs);
    }

    ScheduledIndex() {}

    public synchronized int size() {
        return size;
    }

    /**
     * Visits the entries from this offset on, in log order; holds the index's lock meanwhile. Entries of messages that are
     * not readable yet may be among them; none of a readable one is missing.
     */
    public void forEachFrom(long offset, Visitor visitor) {
        forEachBetween(offset, Long.MAX_VALUE, visitor);
    }

    /** As {@link #forEachFrom}, up to an offset. */
    public synchronized void forEachBetween(long from, long to, Visitor visitor) {
        for (int i = indexOf(from); i < size && offsets[i] < to; i++) {
            visitor.scheduled(offsets[i], priorities[i] & PRIORITY_BITS, deliveryTimesMs[i]);
        }
    }

    private int indexOf(long offset) {
        int found = Arrays.binarySearch(offsets, 0, size, offset);
        return found >= 0 ? found : -found - 1;
    }

    synchronized void add(long offset, int priority, long deliveryTimeMs) {
        if (size == offsets.length) {
            int more = Math.max(8, size + (size >> 1));
            offsets = Arrays.copyOf(offsets, more);
            deliveryTimesMs = Arrays.copyOf(deliveryTimesMs, more);
            priorities = Arrays.copyOf(priorities, more);
        }
        int at = size == 0 || offset > offsets[size - 1] ? size : indexOf(offset);
        if (at < size) {
            System.arraycopy(offsets, at, offsets, at + 1, size - at);
            System.arraycopy(deliveryTimesMs, at, deliveryTimesMs, at + 1, size - at);
            System.arraycopy(priorities, at, priorities, at + 1, size - at);
        }
        offsets[at] = offset;
        deliveryTimesMs[at] = deliveryTimeMs;
        priorities[at] = (byte) (priority & PRIORITY_BITS);
        size++;
    }

    /** Whether it has grown enough for a {@link #trim} to pay. */
    synchronized boolean wantsTrim() {
        return size >= SMALL && size >= 2 * sizeAfterTrim;
    }

    /**
     * Lets go of what is not needed.
     *
     * @param start the log's start
     * @param floor lowest floor of the journalled subscriptions
     * @param transientFloor lowest floor of the others
     * @param nowMs by the newest record
     */
    synchronized void trim(long start, long floor, long transientFloor, long nowMs) {
        int kept = 0;
        for (int i = 0; i < size; i++) {
            byte bits = priorities[i];
            boolean due = deliveryTimesMs[i] <= nowMs;
            if (offsets[i] < start || offsets[i] < floor && due) {
                bits |= FOR_TRANSIENT_ONLY;
            }
            boolean keep = bits < FOR_TRANSIENT_ONLY || offsets[i] >= Math.max(start, transientFloor);
            if (keep) {
                offsets[kept] = offsets[i];
                deliveryTimesMs[kept] = deliveryTimesMs[i];
                priorities[kept++] = bits;
            }
        }
        size = kept;
        sizeAfterTrim = kept;
        if (offsets.length > SMALL && size < offsets.length / 4) {
            offsets = Arrays.copyOf(offsets, size);
            deliveryTimesMs = Arrays.copyOf(deliveryTimesMs, size);
            priorities = Arrays.copyOf(priorities, size);
        }
    }

    /** Writes what journalled subscriptions need; {@link #trim} came just before. */
    synchronized void write(DataOutputStream out) throws IOException {
        NumberBlock block = new NumberBlock();
        int count = 0;
        long before = 0;
        for (int i = 0; i < size; i++) {
            if (priorities[i] < FOR_TRANSIENT_ONLY) {
                block.put(offsets[i] - before);
                block.put(priorities[i]);
                block.put(deliveryTimesMs[i]);
                before = offsets[i];
                count++;
            }
        }
        out.writeInt(count);
        block.write(out);
    }

    void read(DataInputStream in) throws IOException {
        int count = in.readInt();
        ByteBuffer block = NumberBlock.read(in);
        long offset = 0;
        for (; count > 0; count--) {
            offset += Varints.get(block);
            add(offset, (int) Varints.get(block), Varints.get(block));
        }
    }
}
