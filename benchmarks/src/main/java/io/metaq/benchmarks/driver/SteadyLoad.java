package io.metaq.benchmarks.driver;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * A fixed rate, open loop: the times of sending are set beforehand and do not wait for answers, and every latency counts
 * from the time at which its message was meant to be sent. So a stall of the system, or of this process, is charged to
 * every message that it held up (no coordinated omission).
 */
final class SteadyLoad implements Workload {

    private final Histogram sends = new ConcurrentHistogram(3);
    private final Histogram trips = new ConcurrentHistogram(3);
    private final Arrivals arrivals = new Arrivals();
    private final AtomicLong acknowledged = new AtomicLong();
    private volatile long sent;
    private volatile boolean stopped;

    @Override
    public Map<String, Object> run(Peer peer, Job job) throws Exception {
        peer.createTopic(job);
        Map<String, Object> figures = new LinkedHashMap<>();
        Window window = new Window(job, arrivals::distinct);
        MessageSink sink = body -> {
            record(trips, window, Body.intendedNanos(body));
            arrivals.accept(body);
        };
        try (Receiver receiver = peer.openReceiver(job, sink);
                Sender sender = peer.openSender(job)) {
            CompletableFuture<Void> sending = Threads.run("load-steady", () -> send(sender, window, job));
            window.measure(job);
            stopped = true;
            sending.join();
            window.putInto(figures);
            Endings.await(() -> acknowledged.get() >= sent && arrivals.distinct() >= sent, job);
        }
        figures.put("missing", acknowledged.get() - arrivals.distinct());
        figures.put("duplicated", arrivals.duplicated());
        figures.put("disordered", arrivals.disordered());
        Percentiles.put(figures, "send", sends);
        Percentiles.put(figures, "trip", trips);
        peer.deleteTopic(job);
        return figures;
    }

    private void send(Sender sender, Window window, Job job) throws Exception {
        long interval = 1_000_000_000L / job.number("rate", 500);
        long intended = System.nanoTime();
        for (long sequence = 0; !stopped; sequence++, intended += interval) {
            Window.pause(intended - System.nanoTime());
            long meant = intended;
            sender.send(Body.of(0, sequence, meant, job.bodyBytes()), error -> {
                record(sends, window, meant);
                if (error == null) {
                    acknowledged.incrementAndGet();
                }
            });
            sent = sequence + 1;
        }
    }

    private static void record(Histogram histogram, Window window, long intendedNanos) {
        if (window.contains(intendedNanos)) {
            histogram.recordValue(Math.max(0, System.nanoTime() - intendedNanos));
        }
    }
}
