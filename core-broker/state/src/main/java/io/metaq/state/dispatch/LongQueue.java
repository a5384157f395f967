package io.metaq.state.dispatch;

import java.util.Arrays;

/** Numbers, first in, first out, in one array: a million of them cost eight megabytes. */
final class LongQueue {
    private long[] ring = new long[16];
    private int head;
    private int size;

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    void add(long value) {
        if (size == ring.length) {
            long[] wider = Arrays.copyOfRange(ring, head, head + Math.min(size, ring.length - head) + size);
            int first = ring.length - head;
            System.arraycopy(ring, 0, wider, first, size - first);
            ring = wider;
            head = 0;
        }
        ring[head + size & ring.length - 1] = value;
        size++;
    }

    long peek() {
        return ring[head];
    }

    long poll() {
        long value = ring[head];
        head = head + 1 & ring.length - 1;
        size--;
        return value;
    }
}
