package io.metaq.tck.chaos;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;

/**
 * What a consumer receives from.
 *
 * @param part of a queue, by a selector; -1: all
 * @param durable name of a durable subscription; empty: none
 * @param shared whether that is a shared one
 */
record Source(Target target, Account account, int part, String durable, boolean shared) {

    static Source queue(Target target) {
        return new Source(target, target.accounts().get(0), -1, "", false);
    }

    static Source part(Target target, int part) {
        return new Source(target, target.accounts().get(part), part, "", false);
    }

    static Source durable(Target topic, int account, String name, boolean shared) {
        return new Source(topic, topic.accounts().get(account), -1, name, shared);
    }

    /** Called first on a new connection. A shared subscription is used by several, who cannot all have one client id. */
    void identify(Connection connection) throws JMSException {
        if (!durable.isEmpty() && !shared) {
            connection.setClientID("chaos-" + durable);
        }
    }

    MessageConsumer consumer(Session session) throws JMSException {
        if (durable.isEmpty()) {
            String selector = part < 0 ? null : "part = " + part;
            return session.createConsumer(target.in(session), selector);
        }
        var topic = session.createTopic(target.name());
        return shared
                ? session.createSharedDurableConsumer(topic, durable)
                : session.createDurableConsumer(topic, durable);
    }
}
