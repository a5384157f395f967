package io.metaq.jms.connection;

import io.metaq.client.subscription.SubscriberListener;
import io.metaq.jms.failure.Failures;
import io.metaq.jms.thread.ConnectionTimer;
import jakarta.jms.JMSException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the link to the broker. A lost one is nobody's business as long as it comes back in time; one that does not is given up.
 *
 * <p>States: up, interrupted (since when, why), given up (final).
 */
final class LinkWatch implements SubscriberListener {

    private static final Logger LOG = LoggerFactory.getLogger(LinkWatch.class);

    private final ConnectionTimer timer;
    private final long patienceMs;
    private final Consumer<JMSException> whenGivenUp;
    private int interruption;
    private boolean up = true;
    private boolean givenUp;

    /** @param patienceMs how long an interruption may last */
    LinkWatch(ConnectionTimer timer, long patienceMs, Consumer<JMSException> whenGivenUp) {
        this.timer = timer;
        this.patienceMs = patienceMs;
        this.whenGivenUp = whenGivenUp;
    }

    @Override
    public void interrupted(RuntimeException cause) {
        int number;
        synchronized (this) {
            if (!up) {
                return;
            }
            up = false;
            number = ++interruption;
        }
        LOG.info("the connection to the broker is lost and is tried again: {}", cause.getMessage());
        timer.after(patienceMs, () -> giveUpIfStill(number, cause));
    }

    @Override
    public synchronized void resumed() {
        up = true;
    }

    @Override
    public void failed(RuntimeException cause) {
        giveUp(cause, "the connection to the broker cannot be made again");
    }

    private void giveUpIfStill(int number, RuntimeException cause) {
        synchronized (this) {
            if (up || interruption != number) {
                return;
            }
        }
        giveUp(cause, "the connection to the broker did not come back within " + patienceMs + " ms");
    }

    private void giveUp(@Nullable RuntimeException cause, String text) {
        synchronized (this) {
            if (givenUp) {
                return;
            }
            givenUp = true;
        }
        String reason = cause == null ? "" : ": " + cause.getMessage();
        whenGivenUp.accept(Failures.because(new JMSException(text + reason), cause));
    }
}
