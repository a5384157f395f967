package io.metaq.jms.producer;

import io.metaq.jms.failure.Deadline;

/** The session of a producer, as far as the producer needs it. */
public interface ProducerHost {

    /** The way out. */
    SessionSends sends();

    /** How long a close waits. */
    Deadline closing();

    /** The producer is closed. */
    void closed(JmsProducer producer);
}
