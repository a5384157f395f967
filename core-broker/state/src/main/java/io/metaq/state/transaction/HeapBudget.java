package io.metaq.state.transaction;

/** How much of the heap the messages of all transactions may take. Writer thread. */
final class HeapBudget {
    private final HeapLimits limits;
    private long used;

    HeapBudget(HeapLimits limits) {
        this.limits = limits;
    }

    /** Whether a transaction that has {@code before} bytes in the heap may have this many more. */
    boolean has(int before, int bytes) {
        return (long) before + bytes <= limits.perTransaction() && used + bytes <= limits.all();
    }

    void take(int bytes) {
        used += bytes;
    }

    void free(int bytes) {
        used -= bytes;
    }
}
