package io.metaq.jms.consumer;

/**
 * How many messages may wait for a listener: the prefetch, but few after a delivery failed. What waits goes back to the broker then,
 * so that it comes behind the failed message, and is delivered once more; for a listener that fails again and again that
 * would be the whole prefetch each time. Doubles with each round of messages that went well. Pure; the owner synchronises.
 */
final class Supply {

    private static final int AFTER_FAILURE = 2;

    private final int limit;
    private int size;
    private int taken;

    Supply(int limit) {
        this.limit = limit;
        this.size = limit;
    }

    int size() {
        return size;
    }

    /** A message went to the listener. */
    void taken() {
        if (size < limit && ++taken >= size) {
            size = Math.min(limit, 2 * size);
            taken = 0;
        }
    }

    /** What waited goes back. */
    void rewound() {
        size = Math.min(limit, AFTER_FAILURE);
        taken = 0;
    }
}
