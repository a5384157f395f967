package io.metaq.state.dispatch;

/** Byte ranges over whole messages, as a consumer names them. */
@FunctionalInterface
public interface ClaimedRanges {
    ClaimedRanges NONE = visitor -> {};

    /** Told of each range. */
    @FunctionalInterface
    interface Visitor {
        void range(int partition, long from, long to);
    }

    void forEach(Visitor visitor);
}
