package io.metaq.state.dispatch;

import java.util.Arrays;

/** Messages that are not due yet, the next one first. A binary heap over plain arrays. */
final class DelayHeap {
    private long[] due = new long[16];
    private long[] offsets = new long[16];
    private byte[] priorities = new byte[16];
    private int size;

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** When the next one is due, milliseconds since 1970. */
    long nextDue() {
        return due[0];
    }

    long nextOffset() {
        return offsets[0];
    }

    int nextPriority() {
        return priorities[0];
    }

    void add(long dueMs, long offset, int priority) {
        if (size == due.length) {
            due = Arrays.copyOf(due, size * 2);
            offsets = Arrays.copyOf(offsets, size * 2);
            priorities = Arrays.copyOf(priorities, size * 2);
        }
        int at = size++;
        while (at > 0 && before(dueMs, offset, (at - 1) / 2)) {
            place(at, due[(at - 1) / 2], offsets[(at - 1) / 2], priorities[(at - 1) / 2]);
            at = (at - 1) / 2;
        }
        place(at, dueMs, offset, (byte) priority);
    }

    /** Takes the next one out. */
    void remove() {
        size--;
        long dueMs = due[size];
        long offset = offsets[size];
        int at = 0;
        while (2 * at + 1 < size) {
            int child = 2 * at + 1;
            if (child + 1 < size && before(due[child + 1], offsets[child + 1], child)) {
                child++;
            }
            if (before(dueMs, offset, child)) {
                break;
            }
            place(at, due[child], offsets[child], priorities[child]);
            at = child;
        }
        place(at, dueMs, offset, priorities[size]);
    }

    private boolean before(long dueMs, long offset, int other) {
        return dueMs < due[other] || dueMs == due[other] && offset < offsets[other];
    }

    private void place(int at, long dueMs, long offset, byte priority) {
        due[at] = dueMs;
        offsets[at] = offset;
        priorities[at] = priority;
    }
}
