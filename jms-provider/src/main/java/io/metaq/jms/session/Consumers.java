package io.metaq.jms.session;

import io.metaq.client.subscription.Attachment;
import io.metaq.jms.consumer.Intake;
import io.metaq.jms.consumer.JmsConsumer;
import io.metaq.jms.failure.Failures;
import io.metaq.jms.transport.Transport;
import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The consumers of one session: those that are open, and those that the application closed while messages of theirs were not settled,
 * which stay attached until they are.
 */
final class Consumers {

    private final Transport transport;
    private final Acknowledgements acknowledgements;
    private final Function<Attachments.Wanted, Intake> intakes;
    private final Map<Intake, Attachment> attached = new LinkedHashMap<>();
    private final Map<Intake, JmsConsumer> open = new LinkedHashMap<>();

    Consumers(Transport transport, Acknowledgements acknowledgements, Function<Attachments.Wanted, Intake> intakes) {
        this.transport = transport;
        this.acknowledgements = acknowledgements;
        this.intakes = intakes;
    }

    /**
     * Attaches a consumer; one that was closed and waits for its messages to be settled is taken into use again.
     *
     * @throws JMSException as {@link Failures#ofAttach}
     */
    Intake attach(Attachments.Wanted wanted) throws JMSException {
        forgetGone();
        Intake again = lingering(wanted.attachment());
        if (again != null) {
            return again;
        }
        Intake intake = intakes.apply(wanted);
        Attachments.attach(transport, wanted.attachment(), intake);
        synchronized (this) {
            attached.put(intake, wanted.attachment());
        }
        return intake;
    }

    private @Nullable Intake lingering(Attachment wanted) throws JMSException {
        if (wanted.kind().shared()) {
            return null;
        }
        for (Map.Entry<Intake, Attachment> entry : attachedNow().entrySet()) {
            Intake intake = entry.getKey();
            if (entry.getValue().name().equals(wanted.name()) && !isOpen(intake)) {
                if (entry.getValue().equals(wanted) && intake.reopen()) {
                    return intake;
                }
                transport.answer().await(giveUp(intake), "end the former consumer of " + wanted.name());
            }
        }
        return null;
    }

    /** Ends a closed consumer with what is not settled: that comes again. */
    private CompletableFuture<Void> giveUp(Intake intake) {
        List<Shown> lost = acknowledgements.snapshot().stream()
                .filter(shown -> shown.intake == intake)
                .toList();
        acknowledgements.forget(lost);
        return intake.detach(Unsettled.of(lost).of(intake));
    }

    private synchronized Map<Intake, Attachment> attachedNow() {
        return new LinkedHashMap<>(attached);
    }

    private synchronized boolean isOpen(Intake intake) {
        return open.containsKey(intake);
    }

    private synchronized void forgetGone() {
        attached.keySet().removeIf(intake -> !open.containsKey(intake) && intake.isGone());
    }

    synchronized void opened(JmsConsumer consumer) {
        open.put(consumer.intake(), consumer);
    }

    synchronized void closed(JmsConsumer consumer) {
        open.remove(consumer.intake());
    }

    synchronized List<JmsConsumer> open() {
        return new ArrayList<>(open.values());
    }

    /** All that are attached, whether open or not. */
    synchronized List<Intake> intakes() {
        return new ArrayList<>(attached.keySet());
    }

    /** Those that are attached to this subscription. */
    List<Intake> of(String subscription) {
        return attachedNow().entrySet().stream()
                .filter(entry -> entry.getValue().name().equals(subscription))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Ends the consumers of a destination that the application closed already. */
    void giveUpLingering(String topic) {
        attachedNow().forEach((intake, attachment) -> {
            if (attachment.topic().equals(topic) && !isOpen(intake)) {
                giveUp(intake);
            }
        });
    }

    /** Whether an open consumer consumes from this. */
    boolean consumesFrom(String topic) {
        return attachedNow().entrySet().stream()
                .anyMatch(entry -> entry.getValue().topic().equals(topic) && isOpen(entry.getKey()));
    }

    /** Ends all of them. @param unsettled what was shown and is not settled */
    List<CompletableFuture<Void>> detachAll(Unsettled unsettled) {
        List<CompletableFuture<Void>> steps = new ArrayList<>();
        List<Intake> own = intakes();
        for (Intake intake : own) {
            steps.add(intake.detach(unsettled.of(intake)));
        }
        // Messages of a connection's consumer, which is not this session's to end.
        unsettled.ranges().forEach((intake, ranges) -> {
            if (!own.contains(intake)) {
                steps.add(intake.reject(ranges));
            }
        });
        open().forEach(JmsConsumer::sessionClosed);
        return steps;
    }
}
