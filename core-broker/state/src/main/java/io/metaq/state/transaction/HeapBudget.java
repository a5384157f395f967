package io.metaq.state.transaction;

/** How much of the heap the messages of all transactions may take. Writer thread. */
final class HeapBudget {
    private static final long LIMIT_BYTES = 64L << 20;

    private long used;

    boolean has(int bytes) {
        return used + bytes <= LIMIT_BYTES;
    }

    void take(int bytes) {
        used += bytes;
    }

    void free(int bytes) {
        used -= bytes;
    }

    long used() {
        return used;
    }
}
