package io.metaq.jms.session;

import io.metaq.jms.consumer.Intake;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Lets messages that were shown come again, before everything that was not shown yet.
 *
 * <p>The order of the steps keeps the order of messages: first no more credit, so that nothing is on its way; then the broker counts the
 * failed delivery; then goes back what waited here unseen; and only when all consumers are that far is anything shown, or credit given,
 * again. That holds however long the broker takes to answer and whether anybody still waits for it.
 */
final class Rewind {

    private Rewind() {}

    /**
     * Begins it, and does not wait.
     *
     * @param messages what is to come again; settled when this returns
     * @param consumers what must not run ahead meanwhile
     * @return completes when the broker has everything back, or the connection is lost, which is the same
     */
    static CompletableFuture<Void> start(Collection<Shown> messages, Collection<Intake> consumers) {
        Unsettled batch = Unsettled.of(messages);
        List<Intake> halted = new ArrayList<>(consumers);
        batch.ranges().keySet().stream()
                .filter(intake -> !halted.contains(intake))
                .forEach(halted::add);
        halted.forEach(Intake::pause);
        // What is sent is done in its order: a consumer without credit gets nothing, though its messages are there
        // again.
        List<CompletableFuture<Void>> drained =
                halted.stream().map(Intake::beginToGiveBack).toList();
        List<CompletableFuture<Void>> rejected = new ArrayList<>();
        batch.ranges().forEach((intake, ranges) -> rejected.add(intake.reject(ranges)));
        batch.settled();
        return all(drained.stream())
                .handle((done, failure) -> {
                    List<CompletableFuture<Void>> released =
                            halted.stream().map(Intake::giveBack).toList();
                    return all(Stream.concat(rejected.stream(), released.stream()));
                })
                .thenCompose(answered -> answered)
                .whenComplete((done, failure) -> halted.forEach(Intake::resume));
    }

    private static CompletableFuture<Void> all(Stream<CompletableFuture<Void>> steps) {
        return CompletableFuture.allOf(steps.toArray(CompletableFuture<?>[]::new));
    }
}
