package io.metaq.benchmarks.driver;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Producers that each wait for the answer before they send again. */
final class WaitingLoad implements Workload {

    private final int producers;
    private final LongAdder acknowledged = new LongAdder();
    private final Histogram sends = new ConcurrentHistogram(3);
    private volatile boolean stopped;

    WaitingLoad(int producers) {
        this.producers = producers;
    }

    @Override
    public Map<String, Object> run(Peer peer, Job job) throws Exception {
        peer.createTopic(job);
        Window window = new Window(job, acknowledged::sum);
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (int i = 0; i < producers; i++) {
            int producer = i;
            running.add(Threads.run("load-producer-" + i, () -> produce(peer, job, producer, window)));
        }
        window.measure(job);
        stopped = true;
        running.forEach(CompletableFuture::join);
        Map<String, Object> figures = new LinkedHashMap<>();
        window.putInto(figures);
        Percentiles.put(figures, "send", sends);
        Verification.run(peer, job, acknowledged.sum(), figures);
        peer.deleteTopic(job);
        return figures;
    }

    private void produce(Peer peer, Job job, int producer, Window window) throws Exception {
        try (Sender sender = peer.openSender(job)) {
            for (long sequence = 0; !stopped; sequence++) {
                long began = System.nanoTime();
                sender.sendAndWait(Body.of(producer, sequence, began, job.bodyBytes()));
                acknowledged.increment();
                if (window.contains(began)) {
                    sends.recordValue(System.nanoTime() - began);
                }
            }
        }
    }
}
