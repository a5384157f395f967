package io.metaq.jms.session;

import io.metaq.client.subscription.Delivery;
import io.metaq.jms.consumer.Intake;
import io.metaq.jms.failure.Deadline;
import io.metaq.jms.thread.ConnectionTimer;
import io.metaq.jms.transport.Transport;
import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * What a session has shown to its application and not settled, over all its consumers, in order.
 *
 * <p>A message is held from the moment it is shown until it is acknowledged, rejected, or the session ends (which says of those that
 * are held that they were delivered). Only the automatic acknowledgement of a receive holds nothing.
 */
final class Acknowledgements {

    private static final int LAZY_BATCH = 64;
    private static final long LAZY_MS = 50;

    /** For what nobody else can ever get: one frame for what comes in this time, instead of one for each reply to a request. */
    private static final long SOON_MS = 20;

    private final AcknowledgeMode mode;
    private final Transport transport;
    private final ConnectionTimer timer;
    private final Set<Shown> held = new LinkedHashSet<>();
    private List<Shown> lazy = new ArrayList<>();

    Acknowledgements(AcknowledgeMode mode, Transport transport, ConnectionTimer timer) {
        this.mode = mode;
        this.transport = transport;
        this.timer = timer;
    }

    /** The message is about to be given to a listener, or to a receive that leaves its acknowledgement to the application. */
    Shown hold(Intake intake, Delivery delivery) {
        Shown shown = new Shown(intake, delivery);
        synchronized (this) {
            held.add(shown);
        }
        return shown;
    }

    /** Receive returns, or the listener has returned. */
    void processed(Shown shown) {
        switch (mode) {
            case AUTO -> {
                if (shown.intake.mayAcknowledgeLater()) {
                    later(shown, SOON_MS);
                } else if (let(shown)) {
                    acknowledge(List.of(shown));
                }
            }
            case LAZY -> later(shown, LAZY_MS);
            case XA -> {
                if (!shown.claimed && let(shown)) {
                    acknowledge(List.of(shown));
                }
            }
            default -> {
                // The application, or the commit, will say so.
            }
        }
    }

    private synchronized boolean let(Shown shown) {
        return held.remove(shown);
    }

    private static void acknowledge(Collection<Shown> messages) {
        Unsettled batch = Unsettled.of(messages);
        batch.ranges().forEach((intake, ranges) -> intake.consumer().acknowledge(ranges));
        batch.settled();
    }

    private void later(Shown shown, long delayMs) {
        int size;
        synchronized (this) {
            if (!held.contains(shown)) {
                // Given back by a recover within the listener.
                return;
            }
            lazy.add(shown);
            size = lazy.size();
        }
        if (size >= LAZY_BATCH) {
            flushLazy();
        } else if (size == 1) {
            timer.after(delayMs, this::flushLazy);
        }
    }

    /** Acknowledges what was put off. */
    void flushLazy() {
        List<Shown> batch;
        synchronized (this) {
            batch = lazy;
            lazy = new ArrayList<>();
            held.removeAll(new LinkedHashSet<>(batch));
        }
        if (!batch.isEmpty()) {
            acknowledge(batch);
        }
    }

    /** The application acknowledges this message: by the session's mode it alone, everything, or nothing. */
    void acknowledgedByApplication(Shown shown) throws JMSException {
        if (mode == AcknowledgeMode.CLIENT) {
            acknowledgeAll();
        } else if (mode == AcknowledgeMode.INDIVIDUAL && contains(shown)) {
            acknowledgeAndWait(List.of(shown));
        }
    }

    private synchronized boolean contains(Shown shown) {
        return held.contains(shown);
    }

    /** Acknowledges everything that was shown, and waits until the broker keeps it. */
    void acknowledgeAll() throws JMSException {
        if (mode == AcknowledgeMode.CLIENT || mode == AcknowledgeMode.INDIVIDUAL) {
            acknowledgeAndWait(snapshot());
        }
    }

    private void acknowledgeAndWait(List<Shown> messages) throws JMSException {
        if (messages.isEmpty()) {
            return;
        }
        Unsettled batch = Unsettled.of(messages);
        List<CompletableFuture<Integer>> answers = new ArrayList<>();
        batch.ranges().forEach((intake, ranges) -> answers.add(intake.consumer().acknowledgeAndWait(ranges)));
        Deadline patience = transport.patience();
        for (CompletableFuture<Integer> answer : answers) {
            patience.await(answer, "acknowledge");
        }
        forget(messages);
        batch.settled();
    }

    /** Everything that is held, in order. */
    synchronized List<Shown> snapshot() {
        return new ArrayList<>(held);
    }

    /** These are settled or lost: whatever the application says of them later is ignored. */
    synchronized void forget(Collection<Shown> messages) {
        messages.forEach(held::remove);
    }
}
