package io.metaq.state.dispatch;

/** Work on a dispatch that an operator asked for, done a piece at a time between deliveries. */
interface Job {
    /** Goes on. */
    void step(Budget budget, long nowMs);

    /** Whether it can go on at once. */
    boolean canStep();

    /** Whether nothing is left of it. */
    boolean finished();
}
