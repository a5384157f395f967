package io.metaq.tck.chaos;

import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.util.List;

/**
 * Where messages are sent.
 *
 * @param accounts of a topic: all its subscriptions; of a queue: its parts, message n belongs to part n modulo their number
 */
record Target(String name, boolean topic, Kind kind, List<Account> accounts) {

    /** What is special about its messages. */
    enum Kind {
        /** Any priority, expiration and delay. */
        ANY,
        /** Any priority; each keeps its order. */
        PRIORITIES,
        GROUPS,
        /** Some are refused by every consumer, and belong into the dead letter queue. */
        POISON,
        PLAIN
    }

    Destination in(Session session) throws JMSException {
        return topic ? session.createTopic(name) : session.createQueue(name);
    }

    /** The accounts on which a message is owed. */
    List<Account> owing(Label label) {
        return topic ? accounts : List.of(accounts.get(part(label)));
    }

    /** Which part of a queue takes a message. */
    int part(Label label) {
        return label.number() % accounts.size();
    }
}
