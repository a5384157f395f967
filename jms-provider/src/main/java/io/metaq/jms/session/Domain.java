package io.metaq.jms.session;

import jakarta.jms.IllegalStateException;

/** What a session was made for: the old interfaces for queues or topics alone refuse what belongs to the other. */
public enum Domain {
    ANY,
    QUEUE,
    TOPIC;

    void refuseTopics(String what) throws IllegalStateException {
        if (this == QUEUE) {
            throw new IllegalStateException(what + " is not for a QueueSession");
        }
    }

    void refuseQueues(String what) throws IllegalStateException {
        if (this == TOPIC) {
            throw new IllegalStateException(what + " is not for a TopicSession");
        }
    }
}
