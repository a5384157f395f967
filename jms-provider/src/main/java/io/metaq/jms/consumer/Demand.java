package io.metaq.jms.consumer;

/** Who waits for messages of a consumer, and so how many are to be on their way or here. The owner synchronises. */
final class Demand {

    private final Supply supply;
    private final Window window;
    private boolean listening;
    private int receiving;
    private long lastReceive;

    /**
     * @param prefetch most messages that may wait
     * @param alone whether nobody else could get them
     */
    Demand(int prefetch, boolean alone) {
        this.supply = new Supply(prefetch);
        this.window = new Window(prefetch, alone);
    }

    /** Whether messages go to a listener, which is kept supplied, or to whoever calls receive. */
    void setListening(boolean listener) {
        listening = listener;
        window.fallBack();
    }

    boolean isListening() {
        return listening;
    }

    /** A receive begins. */
    void receiveBegins() {
        receiving++;
    }

    /** A receive ends, with or without a message. */
    void receiveEnds() {
        receiving--;
        lastReceive = System.nanoTime();
    }

    boolean isReceiving() {
        return receiving > 0;
    }

    /** Since when nobody receives, by {@link System#nanoTime}; of use only while nobody does. */
    long lastReceive() {
        return lastReceive;
    }

    boolean isThere() {
        return listening || receiving > 0;
    }

    /** How many messages are to be here or on their way. */
    int messages() {
        return listening ? supply.size() : window.size();
    }

    /** A message was taken. @return whether another one is wanted in its place before anybody asks for it */
    boolean taken() {
        supply.taken();
        // A receive that asked for one message is content with it: the next one stays where others can get it.
        return listening || window.size() > 1;
    }

    /** A look without waiting finds nothing: how many messages to ask the broker for. */
    int lookAhead() {
        lastReceive = System.nanoTime();
        return window.size();
    }

    /** What was asked for came after so long. */
    void waited(long nanos) {
        window.waited(nanos);
    }

    /** Nobody has received for a while. */
    void idle() {
        window.fallBack();
    }

    /** Something failed, and what waited goes back. */
    void rewound() {
        supply.rewound();
    }
}
