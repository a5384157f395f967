package io.metaq.tck.scale;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A long backlog behind a message that is never acknowledged: it slows nobody down, and neither a start. */
class LongBacklogTest {
    private static final String QUEUE = "scale.backlog";
    private static final long RECEIVE_MS = 20_000;
    private static final double LONGEST_START = 10;

    @TempDir
    Path directory;

    @Test
    void shouldNotSlowDownBehindAMessageThatIsNeverAcknowledged() throws Exception {
        try (var site = new Site(directory)) {
            var neighbour = new Neighbour(site);
            neighbour.rate();
            double alone = neighbour.rate();
            double filled = Filling.fill(site.connect(""), QUEUE, 0, Site.MESSAGES, (message, number) -> {});
            double beside = neighbour.rate();
            double started = site.killAndStart();
            long began = System.nanoTime();
            Connection holding = site.connect("?prefetch=1");
            Message held = holdFirst(holding);
            double firstMessage = Site.secondsSince(began);
            double besideAgain = neighbour.rate();
            System.out.printf(
                    "%,d messages: filled at %,.0f/s, started in %.1f s after kill -9, first message after %.2f s, %d MB resident%n",
                    Site.MESSAGES, filled, started, firstMessage, site.residentMegabytes());
            double[] drained = drain(site);
            System.out.printf(
                    "drained behind the held one: first tenth %,.0f/s, last tenth %,.0f/s, neighbour meanwhile %,.0f/s%n",
                    drained[0], drained[1], drained[2]);
            System.out.printf(
                    "neighbour: alone %,.0f/s, beside the backlog %,.0f/s, after the start %,.0f/s%n",
                    alone, beside, besideAgain);
            held.acknowledge();
            if (Site.LARGE) {
                assertThat(started).isLessThan(LONGEST_START);
                assertThat(drained[1]).isGreaterThan(0.7 * drained[0]);
                assertThat(beside).isGreaterThan(0.8 * alone);
            }
        }
    }

    private static Message holdFirst(Connection connection) throws Exception {
        Session session = connection.createSession(false, Session.CLIENT_ACKNOWLEDGE);
        Message first = session.createConsumer(session.createQueue(QUEUE)).receive(RECEIVE_MS);
        assertThat(((TextMessage) first).getText()).isEqualTo("0");
        return first;
    }

    /** Receives all others in order; gives the rates of the first and the last tenth, and of the neighbour in between. */
    private static double[] drain(Site site) throws Exception {
        Session session = site.connect("").createSession(false, Session.AUTO_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(session.createQueue(QUEUE));
        int tenth = Site.MESSAGES / 10;
        int last = expect(consumer, 0);
        // The holder may have got some more than it asked for; those come to nobody else.
        int next = last + 1;
        double first = rate(consumer, next, tenth);
        var neighbourRate = new double[1];
        var neighbour = new Thread(() -> neighbourRate[0] = rateOf(new Neighbour(site)), "neighbour");
        neighbour.start();
        int middle = Site.MESSAGES - (next + tenth) - tenth;
        rate(consumer, next + tenth, middle);
        neighbour.join();
        double end = rate(consumer, Site.MESSAGES - tenth, tenth);
        return new double[] {first, end, neighbourRate[0]};
    }

    private static double rateOf(Neighbour neighbour) {
        try {
            return neighbour.rate();
        } catch (jakarta.jms.JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    private static double rate(MessageConsumer consumer, int from, int count) throws Exception {
        long began = System.nanoTime();
        for (int number = from; number < from + count; number++) {
            assertThat(expect(consumer, number)).isEqualTo(number);
        }
        return count / Site.secondsSince(began);
    }

    private static int expect(MessageConsumer consumer, int number) throws Exception {
        Message message = consumer.receive(RECEIVE_MS);
        if (message == null) {
            throw new AssertionError("message %d of %d did not come".formatted(number, Site.MESSAGES));
        }
        return Integer.parseInt(((TextMessage) message).getText());
    }
}
