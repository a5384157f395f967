package io.metaq.tck.chaos;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import java.util.Random;

/** Makes temporary queues without end, uses some, deletes most, and leaves the others to the end of their connection. */
final class TemporaryQueues implements Activity {
    private static final long RECEIVE_MS = 10_000;

    private final Scene scene;
    private final int perSecond;

    TemporaryQueues(Scene scene, int perSecond) {
        this.scene = scene;
        this.perSecond = perSecond;
    }

    @Override
    public void run(Random random, Ending ending) {
        while (!ending.sendingIsOver()) {
            Connection connection = null;
            try {
                connection = scene.connect();
                connection.start();
                Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
                int count = 1 + random.nextInt(400);
                for (int i = 0; i < count && !ending.sendingIsOver(); i++) {
                    one(session, i);
                    Scene.pause(1000 / perSecond);
                }
            } catch (JMSException e) {
                scene.failed(e);
                Scene.pause(100);
            } finally {
                if (connection != null) {
                    scene.close(connection);
                }
            }
        }
    }

    private void one(Session session, int number) throws JMSException {
        TemporaryQueue queue = session.createTemporaryQueue();
        scene.temporaryQueues.incrementAndGet();
        if (number % 8 == 0) {
            use(session, queue);
        }
        if (number % 4 != 3) {
            queue.delete();
        }
    }

    /** The queue is empty again after a restart of the broker: only without one the message must come. */
    private void use(Session session, TemporaryQueue queue) throws JMSException {
        int generation = scene.life().generation();
        MessageConsumer consumer = session.createConsumer(queue);
        var producer = session.createProducer(queue);
        producer.send(session.createTextMessage("0:0"));
        Message message = consumer.receive(RECEIVE_MS);
        if (message == null && scene.life().stillLives(generation)) {
            scene.faults().add("a temporary queue did not deliver");
        }
        producer.close();
        consumer.close();
    }
}
