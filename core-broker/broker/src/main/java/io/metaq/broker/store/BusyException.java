package io.metaq.broker.store;

/** The journal's queue is full: nothing was done, and the same request may succeed a moment later. */
public final class BusyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BusyException(long queuedBytes) {
        super(
                "the broker has " + queuedBytes + " bytes waiting to be written: send again in a moment",
                null,
                false,
                false);
    }
}
