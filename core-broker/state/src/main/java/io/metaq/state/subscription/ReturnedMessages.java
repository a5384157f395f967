package io.metaq.state.subscription;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Messages that came back: how often, and before when they are not to be delivered again. Sorted by offset, in blocks of
 * arrays. Not thread safe.
 */
final class ReturnedMessages {
    private static final int BLOCK_ENTRIES = 256;

    private static final class Block {
        private long[] offsets = new long[4];
        private int[] counts = new int[4];
        private long[] notBeforeMs = new long[4];
        private int size;

        void insert(int at, long offset, int count, long notBefore) {
            if (size == offsets.length) {
                int more = Math.min(BLOCK_ENTRIES, 2 * size);
                offsets = Arrays.copyOf(offsets, more);
                counts = Arrays.copyOf(counts, more);
                notBeforeMs = Arrays.copyOf(notBeforeMs, more);
            }
            move(at, at + 1);
            offsets[at] = offset;
            counts[at] = count;
            notBeforeMs[at] = notBefore;
            size++;
        }

        void remove(int first, int count) {
            move(first + count, first);
            size -= count;
        }

        private void move(int from, int to) {
            System.arraycopy(offsets, from, offsets, to, size - from);
            System.arraycopy(counts, from, counts, to, size - from);
            System.arraycopy(notBeforeMs, from, notBeforeMs, to, size - from);
        }

        /** Index of the first entry that is not before the offset. */
        int atOrAfter(long offset) {
            int found = Arrays.binarySearch(offsets, 0, size, offset);
            return found >= 0 ? found : -found - 1;
        }
    }

    private final List<Block> blocks = new ArrayList<>(1);
    private int size;

    int size() {
        return size;
    }

    /** Index of the block that holds the offset if any does: the last that begins at or before it, else the first. */
    private int blockOf(long offset) {
        int low = 0;
        int high = blocks.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (blocks.get(middle).offsets[0] <= offset) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return Math.max(0, high);
    }

    /** How often the message came back; 0 = never. */
    int count(long offset) {
        if (size == 0) {
            return 0;
        }
        Block block = blocks.get(blockOf(offset));
        int at = block.atOrAfter(offset);
        return at < block.size && block.offsets[at] == offset ? block.counts[at] : 0;
    }

    /** When it may be delivered again, milliseconds since 1970; 0 = at once. */
    long notBefore(long offset) {
        if (size == 0) {
            return 0;
        }
        Block block = blocks.get(blockOf(offset));
        int at = block.atOrAfter(offset);
        return at < block.size && block.offsets[at] == offset ? block.notBeforeMs[at] : 0;
    }

    /** The first returned message at or after the offset; {@link Long#MAX_VALUE} when there is none. */
    long next(long offset) {
        if (size == 0) {
            return Long.MAX_VALUE;
        }
        int index = blockOf(offset);
        Block block = blocks.get(index);
        int at = block.atOrAfter(offset);
        if (at < block.size) {
            return block.offsets[at];
        }
        return index + 1 < blocks.size() ? blocks.get(index + 1).offsets[0] : Long.MAX_VALUE;
    }

    void put(long offset, int count, long notBeforeMs) {
        if (blocks.isEmpty()) {
            blocks.add(new Block());
        }
        int index = blockOf(offset);
        Block block = blocks.get(index);
        int at = block.atOrAfter(offset);
        if (at < block.size && block.offsets[at] == offset) {
            block.counts[at] = count;
            block.notBeforeMs[at] = notBeforeMs;
            return;
        }
        if (block.size == BLOCK_ENTRIES) {
            split(index);
            block = blocks.get(blockOf(offset));
            at = block.atOrAfter(offset);
        }
        block.insert(at, offset, count, notBeforeMs);
        size++;
    }

    private void split(int index) {
        Block lower = blocks.get(index);
        Block upper = new Block();
        for (int i = BLOCK_ENTRIES / 2; i < lower.size; i++) {
            upper.insert(upper.size, lower.offsets[i], lower.counts[i], lower.notBeforeMs[i]);
        }
        lower.remove(BLOCK_ENTRIES / 2, lower.size - BLOCK_ENTRIES / 2);
        blocks.add(index + 1, upper);
    }

    /** Forgets the messages from {@code from} on and before {@code to}. */
    void remove(long from, long to) {
        if (size == 0) {
            return;
        }
        for (int index = blockOf(from); index < blocks.size() && blocks.get(index).offsets[0] < to; ) {
            Block block = blocks.get(index);
            int first = block.atOrAfter(from);
            int removed = block.atOrAfter(to) - first;
            block.remove(first, removed);
            size -= removed;
            if (block.size == 0) {
                blocks.remove(index);
            } else {
                index++;
            }
        }
    }

    void clear() {
        blocks.clear();
        size = 0;
    }

    void forEach(Cursor.ReturnedVisitor visitor) {
        for (Block block : blocks) {
            for (int i = 0; i < block.size; i++) {
                visitor.returned(block.offsets[i], block.counts[i], block.notBeforeMs[i]);
            }
        }
    }
}
