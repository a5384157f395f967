package io.metaq.tck.chaos;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import java.util.Enumeration;
import java.util.Random;

/** Looks through a queue now and then, which must end and change nothing. */
final class Browsing implements Activity {
    private static final long LONGEST_MS = 20_000;

    private final Scene scene;
    private final Target target;

    Browsing(Scene scene, Target target) {
        this.scene = scene;
        this.target = target;
    }

    @Override
    public void run(Random random, Ending ending) {
        while (!ending.sendingIsOver()) {
            try {
                browse(ending);
            } catch (JMSException e) {
                scene.failed(e);
            }
            Scene.pause(random.nextInt(1500));
        }
    }

    private void browse(Ending ending) throws JMSException {
        Connection connection = scene.connect();
        try {
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            QueueBrowser browser = session.createBrowser(session.createQueue(target.name()));
            connection.start();
            long began = System.currentTimeMillis();
            int generation = scene.life().generation();
            Enumeration<?> messages = browser.getEnumeration();
            while (messages.hasMoreElements() && !ending.sendingIsOver()) {
                Label.of((Message) messages.nextElement());
                long tookMs = System.currentTimeMillis() - began;
                if (tookMs > LONGEST_MS && scene.life().stillLives(generation)) {
                    scene.faults().add("a browser has not ended after %d ms".formatted(tookMs));
                    return;
                }
            }
        } finally {
            scene.close(connection);
        }
    }
}
