package io.metaq.tck.scale;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** A sender and a receiver on a queue of their own: their rate tells what the others leave to them. */
final class Neighbour {
    private static final long WINDOW_MS = Site.LARGE ? 5_000 : 300;
    private static final int BACKLOG = 1_000;

    private final Site site;
    private volatile boolean over;

    Neighbour(Site site) {
        this.site = site;
    }

    /** Messages per second through the queue, over some seconds from now. */
    double rate() throws JMSException {
        var received = new AtomicLong();
        var room = new Semaphore(BACKLOG);
        over = false;
        try (Connection in = site.connect("");
                Connection out = site.connect("")) {
            Session session = in.createSession(false, Session.AUTO_ACKNOWLEDGE);
            session.createConsumer(session.createQueue("neighbour")).setMessageListener(message -> {
                received.incrementAndGet();
                room.release();
            });
            var thread = new Thread(() -> send(out, room), "neighbour");
            thread.start();
            pause(WINDOW_MS / 3);
            long before = received.get();
            long began = System.nanoTime();
            pause(WINDOW_MS);
            double rate = (received.get() - before) / Site.secondsSince(began);
            over = true;
            thread.join();
            return rate;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void send(Connection connection, Semaphore room) {
        try (Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE)) {
            MessageProducer producer = session.createProducer(session.createQueue("neighbour"));
            var answer = new Unread();
            while (!over && room.tryAcquire(10, TimeUnit.SECONDS)) {
                producer.send(session.createTextMessage("neighbour"), answer);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    static void pause(long ms) {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
        for (long left = until - System.nanoTime(); left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** What arrives is counted; that a send is answered tells nothing more. */
    private static final class Unread implements CompletionListener {
        @Override
        public void onCompletion(Message message) {}

        @Override
        public void onException(Message message, Exception exception) {
            throw new IllegalStateException(exception);
        }
    }
}
