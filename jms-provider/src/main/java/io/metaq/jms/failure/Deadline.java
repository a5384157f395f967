package io.metaq.jms.failure;

import jakarta.jms.JMSException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A point in time up to which a caller waits, however many things it waits for. */
public final class Deadline {

    private static final Logger LOG = LoggerFactory.getLogger(Deadline.class);

    private final long end;
    private final long millis;

    private Deadline(long millis) {
        this.millis = millis;
        this.end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** So many milliseconds from now. */
    public static Deadline in(long millis) {
        return new Deadline(millis);
    }

    /** Nanoseconds that are left; 0 when it has passed. */
    public long nanosLeft() {
        return Math.max(0, end - System.nanoTime());
    }

    public boolean hasPassed() {
        return nanosLeft() == 0;
    }

    /**
     * Waits for an answer.
     *
     * @throws JMSException when it is a failure, does not come in time, or the thread is interrupted (which it stays)
     */
    public <T> T await(CompletableFuture<T> answer, String what) throws JMSException {
        try {
            return answer.get(nanosLeft(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw Failures.of(e, what);
        } catch (TimeoutException e) {
            throw Failures.because(new JMSException(what + ": no answer within " + millis + " ms"), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failures.because(new JMSException(what + ": interrupted while waiting for the answer"), e);
        }
    }

    /**
     * Waits for an answer on the way out, where nothing can be done about a failure; not shortened by interrupts.
     *
     * @return whether it came in time and was no failure
     */
    public boolean awaitCalmly(CompletableFuture<?> answer, String what) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    answer.get(nanosLeft(), TimeUnit.NANOSECONDS);
                    return true;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            LOG.debug("{}: {}", what, Failures.unwrap(e).toString());
            return false;
        } catch (TimeoutException e) {
            LOG.warn("{}: no answer within {} ms", what, millis);
            return false;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Waits for a thread's end; not shortened by interrupts. @return false if the time was too short */
    public boolean join(Thread ending) {
        boolean interrupted = false;
        while (ending.isAlive() && !hasPassed()) {
            try {
                TimeUnit.NANOSECONDS.timedJoin(ending, Math.max(1_000_000, nanosLeft()));
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return !ending.isAlive();
    }
}
