package io.metaq.jms.destination;

import jakarta.jms.Queue;

/** A queue by name. */
public class MetaQQueue extends MetaQDestination implements Queue {

    private static final long serialVersionUID = 1L;

    /** @throws IllegalArgumentException for an empty name */
    public MetaQQueue(String name) {
        super(Kind.QUEUE, name);
    }

    MetaQQueue(Kind kind, String name) {
        super(kind, name);
    }

    @Override
    public String getQueueName() {
        return name();
    }
}
