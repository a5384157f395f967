package io.metaq.tck.scale;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Selectors that match little, and many of them: no message is out of their sight, and others go on. */
class ManySelectorsTest {
    private static final int BACKLOG = Math.min(Site.MESSAGES, 1_000_000);
    private static final int SELECTORS = 100;
    private static final int CONNECTIONS = 5;
    private static final double LEAST_FOR_OTHERS = 0.8;

    @TempDir
    Path directory;

    @Test
    void shouldFindTheOneMessageThatMatchesBehindAMillionThatDoNot() throws Exception {
        try (var site = new Site(directory)) {
            var neighbour = new Neighbour(site);
            neighbour.rate();
            double alone = neighbour.rate();
            Connection connection = site.connect("");
            CompletableFuture<Long> waiting = receiveInBackground(site, "wanted = 1");
            Filling.fill(
                    connection, "scale.needle", 0, BACKLOG, (message, number) -> message.setIntProperty("wanted", 0));
            double beside = neighbour.rate();
            long sent = System.nanoTime();
            Filling.fill(
                    connection, "scale.needle", BACKLOG, 1, (message, number) -> message.setIntProperty("wanted", 1));
            double waited = (waiting.get(60, TimeUnit.SECONDS) - sent) / 1e9;
            Filling.fill(
                    connection, "scale.needle", BACKLOG, 1, (message, number) -> message.setIntProperty("wanted", 2));
            long asked = System.nanoTime();
            double searched = (receiveInBackground(site, "wanted = 2").get(60, TimeUnit.SECONDS) - asked) / 1e9;
            System.out.printf(
                    "1 in %,d: %.3f s after it was sent; %.3f s for a consumer that came later; neighbour alone %,.0f/s, beside %,.0f/s%n",
                    BACKLOG, waited, searched, alone, beside);
            assertThat(waited).isLessThan(1);
            if (Site.LARGE) {
                assertThat(beside).isGreaterThan(LEAST_FOR_OTHERS * alone);
            }
        }
    }

    /** Gives the time of arrival, {@link System#nanoTime}. */
    private static CompletableFuture<Long> receiveInBackground(Site site, String selector) throws Exception {
        Session session = site.connect("").createSession(false, Session.AUTO_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(session.createQueue("scale.needle"), selector);
        var arrival = new CompletableFuture<Long>();
        consumer.setMessageListener(message -> arrival.complete(System.nanoTime()));
        return arrival;
    }

    @Test
    void shouldServeAHundredSelectorsOfOneQueue() throws Exception {
        try (var site = new Site(directory)) {
            var neighbour = new Neighbour(site);
            neighbour.rate();
            double alone = neighbour.rate();
            var received = new AtomicInteger();
            var mistaken = new AtomicInteger();
            for (int i = 0; i < CONNECTIONS; i++) {
                Connection connection = site.connect("");
                for (int part = i; part < SELECTORS; part += CONNECTIONS) {
                    listen(connection, part, received, mistaken);
                }
            }
            long began = System.nanoTime();
            var filling = CompletableFuture.supplyAsync(() -> fill(site));
            double beside = neighbour.rate();
            double filled = filling.get(10, TimeUnit.MINUTES);
            Awaitility.await().atMost(5, TimeUnit.MINUTES).until(() -> received.get() >= BACKLOG);
            double rate = BACKLOG / Site.secondsSince(began);
            System.out.printf(
                    "%d selectors, %,d messages: sent at %,.0f/s, received at %,.0f/s, %d MB resident; neighbour alone %,.0f/s, beside %,.0f/s%n",
                    SELECTORS, BACKLOG, filled, rate, site.residentMegabytes(), alone, beside);
            assertThat(received).hasValue(BACKLOG);
            assertThat(mistaken).hasValue(0);
        }
    }

    private static double fill(Site site) {
        try {
            return Filling.fill(
                    site.connect(""),
                    "scale.parts",
                    0,
                    BACKLOG,
                    (message, number) -> message.setIntProperty("part", number % SELECTORS));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void listen(Connection connection, int part, AtomicInteger received, AtomicInteger mistaken)
            throws Exception {
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(session.createQueue("scale.parts"), "part = " + part);
        consumer.setMessageListener(message -> {
            received.incrementAndGet();
            if (part(message) != part) {
                mistaken.incrementAndGet();
            }
        });
    }

    private static int part(Message message) {
        try {
            return message.getIntProperty("part");
        } catch (jakarta.jms.JMSException e) {
            throw new IllegalStateException(e);
        }
    }
}
