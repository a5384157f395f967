package io.metaq.tck.harness;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Several producers at once, that go on through restarts of the broker until stopped. */
public final class Load implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Ledger ledger;
    private final List<WireProducer> producers;
    private final List<Thread> threads = new ArrayList<>();

    private Load(LoadPlan plan, Ledger ledger, int count) {
        this.ledger = ledger;
        this.producers = IntStream.range(0, count)
                .mapToObj(i -> new WireProducer(plan, ledger, i))
                .toList();
        producers.forEach(producer -> {
            var thread = new Thread(producer, "load");
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        });
    }

    public static Load start(LoadPlan plan, Ledger ledger, int producers) {
        return new Load(plan, ledger, producers);
    }

    /** Waits until so many more messages were acknowledged. */
    public void awaitMore(int messages) {
        int wanted = ledger.acknowledgedCount() + messages;
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(2)).until(() -> {
            failOnFailure();
            return ledger.acknowledgedCount() >= wanted;
        });
    }

    /** The last refusal that any producer was given, empty if none. */
    public String lastRefusal() {
        return producers.stream()
                .map(WireProducer::lastRefusal)
                .filter(text -> !text.isEmpty())
                .findAny()
                .orElse("");
    }

    /** Stops sending, waits for the answers that are due, and fails if a producer could not go on. */
    public void stop() {
        producers.forEach(WireProducer::stop);
        for (Thread thread : threads) {
            try {
                thread.join(PATIENCE.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        failOnFailure();
    }

    private void failOnFailure() {
        for (var producer : producers) {
            var failure = producer.failure();
            if (failure != null) {
                throw new IllegalStateException("a producer failed", failure);
            }
        }
    }

    @Override
    public void close() {
        producers.forEach(WireProducer::stop);
        threads.forEach(Thread::interrupt);
    }
}
