package io.metaq.jms.destination;

import jakarta.jms.Topic;

/** A topic by name. */
public class MetaQTopic extends MetaQDestination implements Topic {

    private static final long serialVersionUID = 1L;

    /** @throws IllegalArgumentException for an empty name */
    public MetaQTopic(String name) {
        super(Kind.TOPIC, name);
    }

    MetaQTopic(Kind kind, String name) {
        super(kind, name);
    }

    @Override
    public String getTopicName() {
        return name();
    }
}
