package io.metaq.state.dispatch;

/**
 * How far one class of consumers has looked in one partition. What lies before {@link #at} is acknowledged, out, held
 * back, in {@link #ready}, parked for the consumer of its group, or none of this class's business: it is never looked
 * at twice.
 */
final class Scan {
    final Lane lane;
    final ReadySet ready = new ReadySet();
    long at;

    /** The first message that was passed over because its group belongs to a consumer of another class. */
    long foreignGroupAt = Long.MAX_VALUE;

    Scan(Lane lane, long at) {
        this.lane = lane;
        this.at = at;
    }

    /** Looks again from {@code offset} on. */
    void rewind(long offset) {
        at = Math.min(at, offset);
    }
}
