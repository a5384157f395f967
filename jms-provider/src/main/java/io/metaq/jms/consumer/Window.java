package io.metaq.jms.consumer;

/**
 * How many messages a consumer without a listener may have on their way to it. One at first, so that the messages that somebody asks
 * for singly stay with the broker for others; a consumer that empties its buffer again and again gets double each time, up to the
 * prefetch. Falls back to one when nobody receives for a while. Pure; the owner synchronises.
 */
final class Window {

    /** Receives that found nothing before the first doubling: a short exchange of single messages never fetches ahead. */
    static final int PATIENCE = 16;

    private final int limit;
    private int size = 1;
    private int emptied;

    Window(int limit) {
        this.limit = limit;
    }

    int size() {
        return size;
    }

    /** A receive found the buffer empty and all that was asked for before delivered. */
    void foundEmpty() {
        if (++emptied > PATIENCE) {
            size = Math.min(limit, size * 2);
        }
    }

    void fallBack() {
        size = 1;
        emptied = 0;
    }
}
