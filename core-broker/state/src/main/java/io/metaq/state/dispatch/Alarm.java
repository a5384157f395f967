package io.metaq.state.dispatch;

/** One timer that is set anew again and again. */
final class Alarm {
    static final long NEVER = Long.MAX_VALUE;

    private final Effects effects;
    private final Runnable ring;
    private Runnable cancel = () -> {};
    private long timeMs = NEVER;

    Alarm(Effects effects, Runnable ring) {
        this.effects = effects;
        this.ring = ring;
    }

    /** Rings when the clock shows that time, and not at the one it was set to before. */
    void set(long whenMs) {
        if (whenMs != timeMs) {
            cancel.run();
            timeMs = whenMs;
            cancel = whenMs == NEVER ? () -> {} : effects.at(whenMs, this::due);
        }
    }

    private void due() {
        timeMs = NEVER;
        ring.run();
    }
}
