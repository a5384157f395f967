package io.metaq.jms.session;

import io.metaq.jms.consumer.Intake;
import io.metaq.jms.failure.Deadline;
import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Lets messages that were shown come again, before everything that was not shown yet.
 *
 * <p>The order of the steps keeps the order of messages: first no more credit, so that nothing is on its way; then the broker counts the
 * failed delivery; only then goes back what waited here unseen, and credit is given again.
 */
final class Rewind {

    private Rewind() {}

    /**
     * @param messages what is to come again; settled when this returns, whether it succeeds or not
     * @param consumers what must not run ahead meanwhile
     */
    static void run(Collection<Shown> messages, Collection<Intake> consumers, Deadline deadline) throws JMSException {
        Unsettled batch = Unsettled.of(messages);
        List<Intake> halted = new ArrayList<>(consumers);
        batch.ranges().keySet().stream()
                .filter(intake -> !halted.contains(intake))
                .forEach(halted::add);
        halted.forEach(Intake::pause);
        try {
            awaitAll(halted.stream().map(Intake::revoke).toList(), deadline);
            List<CompletableFuture<Void>> rejected = new ArrayList<>();
            batch.ranges().forEach((intake, ranges) -> rejected.add(intake.reject(ranges)));
            awaitAll(rejected, deadline);
            awaitAll(halted.stream().map(Intake::giveBack).toList(), deadline);
        } finally {
            batch.settled();
            halted.forEach(Intake::resume);
        }
    }

    private static void awaitAll(List<CompletableFuture<Void>> steps, Deadline deadline) throws JMSException {
        for (CompletableFuture<Void> step : steps) {
            deadline.await(step, "give messages back");
        }
    }
}
