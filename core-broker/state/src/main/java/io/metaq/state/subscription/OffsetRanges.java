package io.metaq.state.subscription;

import java.util.Arrays;

/**
 * Ranges of offsets that do not overlap, ascending; ranges that meet become one. Made for millions of them: eight bytes
 * each, in blocks, so that adding, finding and taking out are a binary search and a short move. Not thread safe.
 *
 * <p>A block keeps its ranges as distances from a base in 32 bits. A range that is too long for that is kept in pieces
 * that touch.
 */
final class OffsetRanges {
    static final long NONE = -1;

    private static final int BLOCK_RANGES = 512;
    private static final long MAX_PIECE = 1L << 30;

    @FunctionalInterface
    interface Visitor {
        void range(long from, long to);
    }

    private static final class Block {
        private final long base;
        private int[] from = new int[4];
        private int[] to = new int[4];
        private int size;

        Block(long base) {
            this.base = base;
        }

        boolean fits(long offset) {
            long distance = offset - base;
            return distance == (int) distance;
        }

        long from(int i) {
            return base + from[i];
        }

        long to(int i) {
            return base + to[i];
        }

        void insert(int at, long start, long end) {
            if (size == from.length) {
                int more = Math.min(BLOCK_RANGES, 2 * size);
                from = Arrays.copyOf(from, more);
                to = Arrays.copyOf(to, more);
            }
            System.arraycopy(from, at, from, at + 1, size - at);
            System.arraycopy(to, at, to, at + 1, size - at);
            from[at] = (int) (start - base);
            to[at] = (int) (end - base);
            size++;
        }

        void remove(int first, int count) {
            System.arraycopy(from, first + count, from, first, size - first - count);
            System.arraycopy(to, first + count, to, first, size - first - count);
            size -= count;
            if (from.length > 4 && size < from.length / 4) {
                from = Arrays.copyOf(from, from.length / 2);
                to = Arrays.copyOf(to, to.length / 2);
            }
        }

        /** Index of the last range that begins at or before the offset, -1 when there is none. */
        int find(long offset) {
            int low = 0;
            int high = size - 1;
            while (low <= high) {
                int middle = (low + high) >>> 1;
                if (from(middle) <= offset) {
                    low = middle + 1;
                } else {
                    high = middle - 1;
                }
            }
            return high;
        }
    }

    private Block[] blocks = new Block[4];
    private int head;
    private int count;
    private long size;

    /** Where {@link #locate} found a range: block and index; block -1 for "before all". */
    private int atBlock;

    private int atIndex;

    boolean isEmpty() {
        return count == 0;
    }

    /** Number of ranges. */
    long size() {
        return size;
    }

    /** About how much memory the ranges take. */
    long memoryBytes() {
        long bytes = 8L * blocks.length;
        for (int i = 0; i < count; i++) {
            bytes += 64 + 8L * block(i).from.length;
        }
        return bytes;
    }

    private Block block(int i) {
        return blocks[head + i];
    }

    /** Finds the last range that begins at or before the offset. */
    private boolean locate(long offset) {
        int low = 0;
        int high = count - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (block(middle).from(0) <= offset) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        atBlock = high;
        atIndex = high < 0 ? -1 : block(high).find(offset);
        return high >= 0;
    }

    /** End of the range that holds the offset, {@link #NONE} when none does. */
    long endAt(long offset) {
        if (!locate(offset)) {
            return NONE;
        }
        long end = block(atBlock).to(atIndex);
        return end > offset ? end : NONE;
    }

    /** Where the first range begins that does not begin before the offset; {@link Long#MAX_VALUE} when there is none. */
    long startAtOrAfter(long offset) {
        if (locate(offset) && block(atBlock).from(atIndex) == offset) {
            return offset;
        }
        return startAfterLocated();
    }

    private long startAfterLocated() {
        if (atBlock >= 0 && atIndex + 1 < block(atBlock).size) {
            return block(atBlock).from(atIndex + 1);
        }
        return atBlock + 1 < count ? block(atBlock + 1).from(0) : Long.MAX_VALUE;
    }

    /**
     * Adds what is not covered yet.
     *
     * @return how many offsets that was
     */
    long add(long from, long to) {
        long added = 0;
        long at = from;
        while (at < to) {
            long covered = endAt(at);
            if (covered != NONE) {
                at = covered;
            } else {
                long gapEnd = Math.min(to, startAfterLocated());
                fill(at, gapEnd);
                added += gapEnd - at;
                at = gapEnd;
            }
        }
        return added;
    }

    /** Fills a gap, or a part of it; {@link #locate} has been called for its beginning. */
    private void fill(long from, long to) {
        long start = from;
        for (; to - start > MAX_PIECE; start += MAX_PIECE) {
            insert(start, start + MAX_PIECE);
            locate(start + MAX_PIECE);
        }
        boolean nextTouches = startAfterLocated() == to;
        if (atBlock >= 0
                && block(atBlock).to(atIndex) == start
                && block(atBlock).fits(to)) {
            Block left = block(atBlock);
            left.to[atIndex] = (int) (to - left.base);
            if (nextTouches) {
                joinNext(left);
            }
        } else if (!(nextTouches && extendNext(start))) {
            insert(start, to);
        }
    }

    /** The located range has come to touch the next one: makes them one unless that gets too long. */
    private void joinNext(Block left) {
        boolean inBlock = atIndex + 1 < left.size;
        Block right = inBlock ? left : block(atBlock + 1);
        int index = inBlock ? atIndex + 1 : 0;
        if (left.fits(right.to(index))) {
            left.to[atIndex] = (int) (right.to(index) - left.base);
            remove(inBlock ? atBlock : atBlock + 1, index);
        }
    }

    private boolean extendNext(long from) {
        boolean inBlock = atBlock >= 0 && atIndex + 1 < block(atBlock).size;
        Block right = block(inBlock ? atBlock : atBlock + 1);
        if (!right.fits(from)) {
            return false;
        }
        right.from[inBlock ? atIndex + 1 : 0] = (int) (from - right.base);
        return true;
    }

    /** Puts a range of its own behind the located one. */
    private void insert(long from, long to) {
        size++;
        if (atBlock >= 0) {
            Block block = block(atBlock);
            boolean last = atBlock + 1 == count && atIndex + 1 == block.size;
            if (block.fits(to) && !(last && block.size == BLOCK_RANGES)) {
                insertInto(block, from, to);
                return;
            }
            if (atIndex + 1 < block.size) {
                split(block, atIndex + 1); // the new block stands between the halves
            }
        }
        Block begun = new Block(from);
        begun.insert(0, from, to);
        insertBlock(atBlock + 1, begun);
    }

    private void insertInto(Block block, long from, long to) {
        if (block.size < BLOCK_RANGES) {
            block.insert(atIndex + 1, from, to);
            return;
        }
        split(block, BLOCK_RANGES / 2);
        Block half = atIndex + 1 <= block.size ? block : block(atBlock + 1);
        int index = half == block ? atIndex + 1 : atIndex + 1 - block.size;
        half.insert(index, from, to);
    }

    /** Moves the ranges of the located block from this index on into a block of their own behind it. */
    private void split(Block block, int from) {
        Block upper = new Block(block.from(from));
        for (int i = from; i < block.size; i++) {
            upper.insert(upper.size, block.from(i), block.to(i));
        }
        block.remove(from, block.size - from);
        insertBlock(atBlock + 1, upper);
    }

    private void insertBlock(int at, Block block) {
        if (head + count == blocks.length) {
            Block[] larger = new Block[Math.max(4, 2 * count)];
            System.arraycopy(blocks, head, larger, 0, count);
            blocks = larger;
            head = 0;
        }
        System.arraycopy(blocks, head + at, blocks, head + at + 1, count - at);
        blocks[head + at] = block;
        count++;
    }

    private void remove(int block, int index) {
        size--;
        Block from = block(block);
        from.remove(index, 1);
        if (from.size == 0) {
            removeBlock(block);
        } else if (block + 1 < count && from.size + block(block + 1).size <= BLOCK_RANGES / 2) {
            absorb(from, block + 1);
        }
    }

    /** Keeps blocks from staying about with few ranges each when the gaps between them close in any order. */
    private void absorb(Block into, int index) {
        Block next = block(index);
        if (!into.fits(next.to(next.size - 1))) {
            return;
        }
        for (int i = 0; i < next.size; i++) {
            into.insert(into.size, next.from(i), next.to(i));
        }
        removeBlock(index);
    }

    private void removeBlock(int index) {
        if (index == 0) {
            blocks[head++] = null;
        } else {
            System.arraycopy(blocks, head + index + 1, blocks, head + index, count - index - 1);
            blocks[head + count - 1] = null;
        }
        count--;
        if (blocks.length > 4 && count < blocks.length / 4) {
            Block[] smaller = new Block[blocks.length / 2];
            System.arraycopy(blocks, head, smaller, 0, count);
            blocks = smaller;
            head = 0;
        }
    }

    /** Takes out what lies before the offset. */
    void removeBefore(long offset) {
        while (count > 0) {
            Block first = block(0);
            int keep = 0;
            while (keep < first.size && first.to(keep) <= offset) {
                keep++;
            }
            size -= keep;
            if (keep < first.size) {
                first.remove(0, keep);
                if (first.from(0) < offset) {
                    first.from[0] = (int) (offset - first.base);
                }
                return;
            }
            removeBlock(0);
        }
    }

    void clear() {
        blocks = new Block[4];
        head = 0;
        count = 0;
        size = 0;
    }

    void forEach(Visitor visitor) {
        for (int b = 0; b < count; b++) {
            Block block = block(b);
            for (int i = 0; i < block.size; i++) {
                visitor.range(block.from(i), block.to(i));
            }
        }
    }
}
