package io.metaq.state.dispatch;

/** How much one turn may look at, so that the thread's other work is not held up. In bytes, a look counting as some. */
final class Budget {
    static final int LOOK = 256;

    private static final long PER_TURN = 1 << 20;

    private long left = PER_TURN;

    void renew() {
        left = PER_TURN;
    }

    boolean spent() {
        return left <= 0;
    }

    void spend(long bytes) {
        left -= bytes;
    }
}
