package io.metaq.broker.stats;

import java.util.concurrent.atomic.LongAdder;

/** Transactions since the broker's start. Any thread. */
public final class TransactionCounters {
    private final LongAdder begun = new LongAdder();
    private final LongAdder begunGlobal = new LongAdder();
    private final LongAdder committed = new LongAdder();
    private final LongAdder rolledBack = new LongAdder();

    /** @param global whether it is a branch of a global one */
    public void begun(boolean global) {
        (global ? begunGlobal : begun).increment();
    }

    public void ended(boolean commit) {
        (commit ? committed : rolledBack).increment();
    }

    long begun() {
        return begun.sum();
    }

    long begunGlobal() {
        return begunGlobal.sum();
    }

    long committed() {
        return committed.sum();
    }

    long rolledBack() {
        return rolledBack.sum();
    }
}
