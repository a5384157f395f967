package io.metaq.tck.closing;

/** A call that ends something. */
enum Ending {
    CONNECTION_CLOSE(true),
    CONNECTION_STOP(true),
    SESSION_CLOSE(true),
    CONSUMER_CLOSE(false),
    PRODUCER_CLOSE(false),
    CONTEXT_CLOSE(true);

    private final boolean ofTheWhole;

    Ending(boolean ofTheWhole) {
        this.ofTheWhole = ofTheWhole;
    }

    /** Whether it is refused in a listener of the object itself. */
    boolean refusedInListener() {
        return ofTheWhole;
    }

    /** Whether it is refused in a callback of the object itself; stop is not among them. */
    boolean refusedInCallback() {
        return this != CONNECTION_STOP && this != CONSUMER_CLOSE;
    }

    void apply(Scene scene) throws Exception {
        switch (this) {
            case CONNECTION_CLOSE -> scene.connection().close();
            case CONNECTION_STOP -> scene.connection().stop();
            case SESSION_CLOSE -> scene.session().close();
            case CONSUMER_CLOSE -> scene.consumer().close();
            case PRODUCER_CLOSE -> scene.producer().close();
            case CONTEXT_CLOSE -> scene.context().close();
        }
    }
}
