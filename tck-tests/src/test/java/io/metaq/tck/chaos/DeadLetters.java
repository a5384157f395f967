package io.metaq.tck.chaos;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** Receives what became a dead letter, which ends it on the account where it was owed. */
final class DeadLetters implements Activity {
    private static final String QUEUE = "DLQ";

    private final Scene scene;
    private final List<Account> accounts;
    private final AtomicLong count = new AtomicLong();

    DeadLetters(Scene scene, List<Account> accounts) {
        this.scene = scene;
        this.accounts = accounts;
    }

    long count() {
        return count.get();
    }

    @Override
    public void run(Random random, Ending ending) {
        while (!ending.allIsOver()) {
            try {
                receive(ending);
            } catch (JMSException e) {
                scene.failed(e);
                Scene.pause(100);
            }
        }
    }

    private void receive(Ending ending) throws JMSException {
        Connection connection = scene.connect();
        try {
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            MessageConsumer consumer = session.createConsumer(session.createQueue(QUEUE));
            connection.start();
            while (!ending.allIsOver()) {
                Message message = consumer.receive(400);
                if (message != null) {
                    bury(message);
                }
            }
        } finally {
            scene.close(connection);
        }
    }

    private void bury(Message message) throws JMSException {
        Label label = Label.of(message);
        count.incrementAndGet();
        boolean owed = accounts.stream().anyMatch(account -> account.dead(label));
        if (!owed && !message.getJMSRedelivered()) {
            scene.faults().add("a dead letter that nobody was owed: " + label.body());
        }
    }
}
