package io.metaq.tck.scale;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Fills a queue with small messages as fast as one session can. */
final class Filling {
    private static final int IN_FLIGHT = 2_000;
    private static final long PATIENCE_SECONDS = 60;

    /** Gives a message its properties. */
    @FunctionalInterface
    interface Preparation {
        void prepare(TextMessage message, int number) throws JMSException;
    }

    private final Semaphore room = new Semaphore(IN_FLIGHT);
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

    private Filling() {}

    /** Sends messages numbered from {@code from}, whose text is their number; gives messages per second. */
    static double fill(Connection connection, String queue, int from, int count, Preparation preparation)
            throws Exception {
        return new Filling().send(connection, queue, from, count, preparation);
    }

    private double send(Connection connection, String queue, int from, int count, Preparation preparation)
            throws Exception {
        long began = System.nanoTime();
        try (Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE)) {
            MessageProducer producer = session.createProducer(session.createQueue(queue));
            var answer = new Answer();
            for (int number = from; number < from + count; number++) {
                TextMessage message = session.createTextMessage(Integer.toString(number));
                preparation.prepare(message, number);
                take(1);
                producer.send(message, answer);
            }
            take(IN_FLIGHT);
        }
        return count / Site.secondsSince(began);
    }

    private void take(int permits) throws Exception {
        if (!room.tryAcquire(permits, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("no answer to sends for %d s".formatted(PATIENCE_SECONDS));
        }
        Exception failed = failure.get();
        if (failed != null) {
            throw failed;
        }
    }

    private final class Answer implements CompletionListener {
        @Override
        public void onCompletion(Message message) {
            room.release();
        }

        @Override
        public void onException(Message message, Exception exception) {
            failure.compareAndSet(null, exception);
            room.release();
        }
    }
}
