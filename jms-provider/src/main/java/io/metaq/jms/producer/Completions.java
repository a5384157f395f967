package io.metaq.jms.producer;

import io.metaq.jms.failure.Deadline;
import jakarta.jms.CompletionListener;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The asynchronous sends of one session: calls their listeners in the order of the sends, one at a time, on a thread that is neither the
 * sender's nor the network's.
 */
public final class Completions {

    private static final Logger LOG = LoggerFactory.getLogger(Completions.class);

    private final Executor line;
    private final Queue<Send> open = new ArrayDeque<>();
    private @Nullable Thread calling;
    private @Nullable Object callingFor;
    private boolean scheduled;

    /** @param line runs one task at a time */
    public Completions(Executor line) {
        this.line = line;
    }

    /** An asynchronous send until its listener has returned. */
    final class Send {
        private final Object producer;
        private final Message message;
        private final CompletionListener listener;
        private boolean done;
        private @Nullable Exception failure;

        private Send(Object producer, Message message, CompletionListener listener) {
            this.producer = producer;
            this.message = message;
            this.listener = listener;
        }

        /** The outcome is known. May be called on any thread; the first call counts. */
        void completed(@Nullable Exception cause) {
            synchronized (Completions.this) {
                if (done) {
                    return;
                }
                done = true;
                failure = cause;
                schedule();
            }
        }

        private void call() {
            try {
                if (failure == null) {
                    listener.onCompletion(message);
                } else {
                    listener.onException(message, failure);
                }
            } catch (RuntimeException e) {
                LOG.warn("a completion listener failed", e);
            }
        }
    }

    /** A send begins; its place in the order is that of this call. */
    synchronized Send begin(Object producer, Message message, CompletionListener listener) {
        Send send = new Send(producer, message, listener);
        open.add(send);
        return send;
    }

    private void schedule() {
        Send first = open.peek();
        if (!scheduled && first != null && first.done) {
            scheduled = true;
            line.execute(this::callAll);
        }
    }

    private void callAll() {
        for (Send send = next(); send != null; send = next()) {
            send.call();
            ended();
        }
    }

    private synchronized @Nullable Send next() {
        Send first = open.peek();
        if (first == null || !first.done) {
            scheduled = false;
            return null;
        }
        calling = Thread.currentThread();
        callingFor = first.producer;
        return first;
    }

    private synchronized void ended() {
        open.remove();
        calling = null;
        callingFor = null;
        notifyAll();
    }

    /** Whether this very thread is within a completion listener of the session. */
    public synchronized boolean isCallback() {
        return calling == Thread.currentThread();
    }

    /** @throws IllegalStateException within a completion listener of the session: it would wait for itself */
    public void refuseInCallback(String what) throws JMSException {
        if (isCallback()) {
            throw new IllegalStateException(what + " is not allowed in a completion listener");
        }
    }

    synchronized boolean isCallbackOf(Object producer) {
        return calling == Thread.currentThread() && callingFor == producer;
    }

    /** Waits until every listener of the sends so far has returned. @return false if the time was too short */
    public boolean await(Deadline deadline) {
        return await(null, deadline);
    }

    /** Waits for the sends of one producer. */
    boolean await(@Nullable Object producer, Deadline deadline) {
        boolean interrupted = false;
        boolean over;
        synchronized (this) {
            while (hasOpen(producer) && !deadline.hasPassed()) {
                try {
                    TimeUnit.NANOSECONDS.timedWait(this, Math.max(1_000_000, deadline.nanosLeft()));
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            over = !hasOpen(producer);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return over;
    }

    private boolean hasOpen(@Nullable Object producer) {
        return open.stream().anyMatch(send -> producer == null || send.producer == producer);
    }
}
