package io.metaq.tck.chaos;

import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Sends to one target, in one session after the other, some of them transacted. */
final class Sending implements Activity {
    private static final int GROUPS = 12;
    private static final long NEVER_OWED = Long.MAX_VALUE / 2;

    /**
     * How a message is sent.
     *
     * @param orderKey messages of a session with the same key keep their order; -1: none
     * @param dueMs not to be shown before, ms since the epoch
     * @param timeToLiveMs 0: for ever
     * @param vanishesMs from then on it need not be shown any more; 0: it must be shown
     */
    record Manner(
            int priority,
            int deliveryMode,
            int orderKey,
            long delayMs,
            long dueMs,
            long timeToLiveMs,
            long vanishesMs,
            boolean poison) {

        static Manner plain(int orderKey) {
            return new Manner(Message.DEFAULT_PRIORITY, DeliveryMode.PERSISTENT, orderKey, 0, 0, 0, 0, false);
        }
    }

    private final Scene scene;
    private final Target target;
    private final int pauseMs;

    /** @param pauseMs between two messages, at random around it */
    Sending(Scene scene, Target target, int pauseMs) {
        this.scene = scene;
        this.target = target;
        this.pauseMs = pauseMs;
    }

    @Override
    public void run(Random random, Ending ending) {
        while (!ending.sendingIsOver()) {
            Connection connection = null;
            try {
                connection = scene.connect();
                boolean transacted = random.nextInt(4) == 0;
                new OneSession(connection, transacted, random).send(20 + random.nextInt(800), ending);
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

    private final class OneSession {
        private final int producer = scene.nextProducer();
        private final Random random;
        private final boolean transacted;
        private final Session session;
        private final MessageProducer sender;
        private final List<Label> uncommitted = new ArrayList<>();

        OneSession(Connection connection, boolean transacted, Random random) throws JMSException {
            this.random = random;
            this.transacted = transacted;
            this.session = connection.createSession(transacted, Session.AUTO_ACKNOWLEDGE);
            this.sender = session.createProducer(target.in(session));
        }

        void send(int count, Ending ending) throws JMSException {
            int untilEnd = 1 + random.nextInt(30);
            for (int number = 0; number < count && !ending.sendingIsOver(); number++) {
                sendOne(new Label(producer, number));
                if (transacted && --untilEnd == 0) {
                    endTransaction();
                    untilEnd = 1 + random.nextInt(30);
                }
                Scene.pause(random.nextInt(2 * pauseMs + 1));
            }
            if (transacted) {
                endTransaction();
            }
        }

        private void sendOne(Label label) throws JMSException {
            Manner manner = manner(label);
            Message message = session.createTextMessage(label.body());
            message.setIntProperty("part", target.part(label));
            if (manner.poison()) {
                message.setBooleanProperty("poison", true);
            }
            if (target.kind() == Target.Kind.GROUPS) {
                message.setStringProperty("JMSXGroupID", "group " + manner.orderKey());
            }
            target.owing(label).forEach(account -> account.attempt(label, manner));
            sender.setDeliveryDelay(manner.delayMs());
            sender.send(message, manner.deliveryMode(), manner.priority(), manner.timeToLiveMs());
            if (transacted) {
                uncommitted.add(label);
            } else {
                target.owing(label).forEach(account -> account.promised(label));
            }
        }

        /** Where commit fails nobody knows: the messages stay attempts, which may or may not be shown. */
        private void endTransaction() throws JMSException {
            if (random.nextInt(5) == 0) {
                session.rollback();
                uncommitted.forEach(label -> target.owing(label).forEach(account -> account.rolledBack(label)));
            } else {
                session.commit();
                uncommitted.forEach(label -> target.owing(label).forEach(account -> account.promised(label)));
            }
            uncommitted.clear();
        }

        private Manner manner(Label label) {
            int priority = random.nextInt(5) == 0 ? random.nextInt(10) : Message.DEFAULT_PRIORITY;
            return switch (target.kind()) {
                case PLAIN -> Manner.plain(0);
                case GROUPS -> Manner.plain(random.nextInt(GROUPS));
                case PRIORITIES -> new Manner(priority, DeliveryMode.PERSISTENT, priority, 0, 0, 0, 0, false);
                case POISON ->
                    new Manner(
                            Message.DEFAULT_PRIORITY,
                            DeliveryMode.PERSISTENT,
                            -1,
                            0,
                            0,
                            0,
                            0,
                            label.number() % 20 == 7);
                case ANY -> any(priority);
            };
        }

        /** Deadlines are counted from before the send: they can only be earlier than the broker's. */
        private Manner any(int priority) {
            long now = System.currentTimeMillis();
            long delay = random.nextInt(20) == 0 ? random.nextInt(3000) : 0;
            long timeToLive = random.nextInt(20) == 0 ? 1 + random.nextInt(5000) : 0;
            boolean persistent = random.nextInt(10) > 0;
            long vanishes = timeToLive > 0 ? now + timeToLive : persistent ? 0 : NEVER_OWED;
            int mode = persistent ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT;
            return new Manner(priority, mode, -1, delay, now + delay, timeToLive, vanishes, false);
        }
    }
}
