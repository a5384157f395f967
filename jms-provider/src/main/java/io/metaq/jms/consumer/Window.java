package io.metaq.jms.consumer;

/**
 * How many messages a consumer without a listener may have on their way to it. One at first, so that the messages that somebody asks
 * for singly stay with the broker for others; a consumer that empties its buffer again and again gets double each time, up to the
 * prefetch. Falls back to one when nobody receives for a while, or the broker has nothing for a while. Pure; the owner synchronises.
 */
final class Window {

    /** Receives that found nothing before the first doubling: a short exchange of single messages never fetches ahead. */
    static final int PATIENCE = 16;

    /** A message that comes within this time was ready; longer than any round trip in one's own data centre. */
    private static final long READY_NANOS = 5_000_000;

    private static final long PAUSE_NANOS = 50_000_000;

    private final int limit;
    private final int least;
    private int size;
    private int emptied;

    /**
     * @param limit the prefetch
     * @param alone whether nobody else could get the messages, so that nothing is lost by fetching ahead from the beginning
     */
    Window(int limit, boolean alone) {
        this.limit = limit;
        this.least = alone ? limit : 1;
        this.size = least;
    }

    int size() {
        return size;
    }

    /**
     * A receive found nothing here and got a message from the broker.
     *
     * @param nanos how long that took: a message that was ready comes within a round trip
     */
    void waited(long nanos) {
        if (nanos >= PAUSE_NANOS) {
            fallBack();
        } else if (nanos < READY_NANOS && ++emptied > PATIENCE) {
            size = Math.min(limit, size * 2);
        }
    }

    void fallBack() {
        size = least;
        emptied = 0;
    }
}
