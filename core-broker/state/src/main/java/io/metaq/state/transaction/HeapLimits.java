package io.metaq.state.transaction;

/**
 * How much of the heap the messages of transactions may take before they wait in files instead.
 *
 * @param perTransaction bytes of one transaction
 * @param all bytes of all transactions together
 */
public record HeapLimits(int perTransaction, long all) {
    public static final HeapLimits DEFAULT = new HeapLimits(1 << 20, 64L << 20);
}
