package io.metaq.tck.scale;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSException;
import jakarta.jms.MessageListener;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ten thousand message groups among a few consumers: each keeps its order and its consumer, and the rate holds. */
class ManyGroupsTest {
    private static final int MESSAGES = Math.min(Site.MESSAGES, 1_000_000);
    private static final int GROUPS = 10_000;
    private static final int CONSUMERS = 4;

    @TempDir
    Path directory;

    @Test
    void shouldKeepTheOrderOfTenThousandGroups() throws Exception {
        try (var site = new Site(directory)) {
            var neighbour = new Neighbour(site);
            neighbour.rate();
            double alone = neighbour.rate();
            double plain = receive(site, "scale.ungrouped", 0);
            double grouped = receive(site, "scale.grouped", GROUPS);
            double beside = neighbour.rate();
            System.out.printf(
                    "%,d messages by %d consumers: without groups %,.0f/s, in %,d groups %,.0f/s, %d MB resident; neighbour %,.0f/s before, %,.0f/s after%n",
                    MESSAGES, CONSUMERS, plain, GROUPS, grouped, site.residentMegabytes(), alone, beside);
            if (Site.LARGE) {
                assertThat(grouped).isGreaterThan(0.3 * plain);
            }
        }
    }

    /** Fills a queue, then receives from it; gives the rate of receiving. */
    private static double receive(Site site, String queue, int groups) throws Exception {
        Filling.fill(site.connect(""), queue, 0, MESSAGES, (message, number) -> {
            if (groups > 0) {
                message.setStringProperty("JMSXGroupID", "group " + number % groups);
            }
        });
        var checks = new Checks(Math.max(1, groups));
        long began = System.nanoTime();
        for (int i = 0; i < CONSUMERS; i++) {
            Session session = site.connect("").createSession(false, Session.AUTO_ACKNOWLEDGE);
            session.createConsumer(session.createQueue(queue)).setMessageListener(checks.of(i, groups));
        }
        Awaitility.await()
                .atMost(5, TimeUnit.MINUTES)
                .pollInterval(5, TimeUnit.MILLISECONDS)
                .until(() -> checks.received.get() >= MESSAGES);
        double rate = MESSAGES / Site.secondsSince(began);
        assertThat(checks.disordered).hasValue(0);
        assertThat(checks.strayed).hasValue(0);
        return rate;
    }

    private static final class Checks {
        final AtomicInteger received = new AtomicInteger();
        final AtomicInteger disordered = new AtomicInteger();
        final AtomicInteger strayed = new AtomicInteger();
        private final AtomicIntegerArray last;
        private final AtomicIntegerArray owner;

        Checks(int groups) {
            last = new AtomicIntegerArray(groups);
            owner = new AtomicIntegerArray(groups);
        }

        MessageListener of(int consumer, int groups) {
            return message -> {
                if (groups > 0) {
                    check(consumer, number((TextMessage) message), groups);
                }
                received.incrementAndGet();
            };
        }

        /** Numbers of a group only grow, from 0: one more than the number is kept, so that 0 means none. */
        private void check(int consumer, int number, int groups) {
            int group = number % groups;
            if (last.getAndSet(group, number + 1) > number) {
                disordered.incrementAndGet();
            }
            int before = owner.getAndSet(group, consumer + 1);
            if (before != 0 && before != consumer + 1) {
                strayed.incrementAndGet();
            }
        }

        private static int number(TextMessage message) {
            try {
                return Integer.parseInt(message.getText());
            } catch (JMSException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
