package io.metaq.tck.chaos;

import io.metaq.tck.chaos.Account.Certainty;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Receives from one source, in one connection after the other, each in a way chosen at random. */
final class Receiving implements Activity {
    private static final long RECEIVE_MS = 400;

    /** Below the default of ten deliveries, so that only poison becomes a dead letter. */
    private static final int MOST_REFUSALS = 4;

    private enum Style {
        AUTO,
        CLIENT,
        TRANSACTED,
        LISTENER
    }

    private final Scene scene;
    private final Source source;
    private final Account account;
    private final int longestLifeMs;

    Receiving(Scene scene, Source source, int longestLifeMs) {
        this.scene = scene;
        this.source = source;
        this.account = source.account();
        this.longestLifeMs = longestLifeMs;
    }

    @Override
    public void run(Random random, Ending ending) {
        while (!ending.allIsOver()) {
            try {
                live(random, ending);
            } catch (JMSException e) {
                scene.failed(e);
                Scene.pause(100);
            }
        }
    }

    private void live(Random random, Ending ending) throws JMSException {
        List<Style> styles = new ArrayList<>(List.of(Style.values()));
        if (source.target().kind() == Target.Kind.POISON) {
            styles.remove(Style.AUTO);
        }
        Style style = styles.get(random.nextInt(styles.size()));
        long until = System.currentTimeMillis() + 500 + random.nextInt(longestLifeMs);
        Connection connection = scene.connect();
        OneConsumer life = null;
        try {
            source.identify(connection);
            life = new OneConsumer(connection, style, random);
            life.live(until, ending);
        } finally {
            account.detached(this);
            if (life != null) {
                life.giveBack();
            }
            scene.close(connection);
        }
    }

    private final class OneConsumer {
        private final Connection connection;
        private final Style style;
        private final Random random;
        private final Session session;
        private final MessageConsumer consumer;
        private final List<Label> held = new ArrayList<>();
        private int generationAtFirst;

        OneConsumer(Connection connection, Style style, Random random) throws JMSException {
            this.connection = connection;
            this.style = style;
            this.random = random;
            int mode = style == Style.CLIENT ? Session.CLIENT_ACKNOWLEDGE : Session.AUTO_ACKNOWLEDGE;
            this.session = connection.createSession(style == Style.TRANSACTED, mode);
            this.consumer = source.consumer(session);
            if (style == Style.LISTENER) {
                consumer.setMessageListener(this::listen);
            }
        }

        void live(long until, Ending ending) throws JMSException {
            connection.start();
            account.attached(Receiving.this);
            while (System.currentTimeMillis() < until && !ending.allIsOver()) {
                switch (style) {
                    case AUTO -> receiveOne();
                    case CLIENT, TRANSACTED -> receiveSome();
                    case LISTENER -> Scene.pause(100);
                }
            }
        }

        private void receiveOne() throws JMSException {
            Message message = consumer.receive(RECEIVE_MS);
            if (message != null) {
                Showing showing = show(message);
                account.acknowledged(showing.label(), Certainty.LIKELY, generation());
                think();
            }
        }

        private void receiveSome() throws JMSException {
            boolean refused = false;
            int wanted = source.target().kind() == Target.Kind.POISON ? 1 : 1 + random.nextInt(40);
            Message last = null;
            for (Message message = consumer.receive(RECEIVE_MS); message != null; message = consumer.receive(1)) {
                last = message;
                if (held.isEmpty()) {
                    generationAtFirst = generation();
                }
                Showing showing = show(message);
                held.add(showing.label());
                refused |= refuses(message, showing);
                think();
                if (held.size() >= wanted) {
                    break;
                }
            }
            if (last == null) {
                return;
            }
            if (refused) {
                giveBack();
                refuse();
            } else {
                accept(last);
            }
        }

        private void refuse() throws JMSException {
            if (style == Style.CLIENT) {
                session.recover();
            } else {
                session.rollback();
            }
        }

        /** A commit that came back counts in any case; an acknowledgement, unless the broker was gone meanwhile. */
        private void accept(Message last) throws JMSException {
            Certainty certainty = Certainty.UNKNOWN;
            try {
                if (style == Style.CLIENT) {
                    last.acknowledge();
                    certainty = scene.life().stillLives(generationAtFirst) ? Certainty.SURE : Certainty.UNKNOWN;
                } else {
                    session.commit();
                    certainty = Certainty.SURE;
                }
            } finally {
                for (Label label : held) {
                    account.acknowledged(label, certainty, generation());
                }
                held.clear();
            }
        }

        private void listen(Message message) {
            try {
                Showing showing = show(message);
                think();
                if (refuses(message, showing)) {
                    account.returned(showing.label(), Receiving.this);
                    throw new Refusal();
                }
                account.acknowledged(showing.label(), Certainty.LIKELY, generation());
            } catch (JMSException e) {
                scene.faults().add("a message could not be read: " + e);
            }
        }

        private Showing show(Message message) throws JMSException {
            Showing showing = Showing.of(message);
            if (source.part() >= 0 && message.getIntProperty("part") != source.part()) {
                scene.faults().add("the selector does not match: " + message);
            }
            account.shown(showing, Receiving.this);
            return showing;
        }

        private boolean refuses(Message message, Showing showing) throws JMSException {
            return message.getBooleanProperty("poison") || (showing.count() < MOST_REFUSALS && random.nextInt(25) == 0);
        }

        private void think() {
            if (random.nextInt(60) == 0) {
                Scene.pause(random.nextInt(200));
            }
        }

        /** They come again: known before the broker is told, since another consumer may be shown them at once. */
        void giveBack() {
            held.forEach(label -> account.returned(label, Receiving.this));
            held.clear();
        }

        private int generation() {
            return scene.life().generation();
        }
    }

    /** What a listener throws at a message. */
    private static final class Refusal extends RuntimeException {
        private static final long serialVersionUID = 1;

        Refusal() {
            super("refused", null, false, false);
        }
    }
}
