package io.metaq.tck.chaos;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.TextMessage;

/** What a message's body says it is: the session that sent it, and which of its messages it is, from 0. */
record Label(int producer, int number) {

    String body() {
        return producer + ":" + number;
    }

    static Label parse(String body) {
        String[] parts = body.split(":", 2);
        return new Label(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
    }

    static Label of(Message message) throws JMSException {
        return parse(((TextMessage) message).getText());
    }
}
