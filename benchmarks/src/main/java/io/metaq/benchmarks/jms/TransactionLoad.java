package io.metaq.benchmarks.jms;

import io.metaq.benchmarks.driver.Body;
import io.metaq.benchmarks.driver.Job;
import io.metaq.benchmarks.driver.Percentiles;
import io.metaq.benchmarks.driver.Threads;
import io.metaq.benchmarks.driver.Verification;
import io.metaq.benchmarks.driver.Window;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Threads that each send {@code per} persistent messages in a transaction and commit it, one transaction after the other:
 * local ones, or two-phase ones of XA ({@code kind=xa}), whose coordinator keeps no log, so that the provider alone is measured.
 * Counted are messages whose commit came back.
 */
final class TransactionLoad {

    private final LongAdder committed = new LongAdder();
    private final Histogram times = new ConcurrentHistogram(3);
    private volatile boolean stopped;

    Map<String, Object> run(JmsPeer peer, Job job) throws Exception {
        int threads = (int) job.number("threads", 1);
        Window window = new Window(job, committed::sum);
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int number = i;
            running.add(Threads.run("jms-transactions-" + i, () -> commit(peer, job, number, window)));
        }
        window.measure(job);
        stopped = true;
        running.forEach(CompletableFuture::join);
        Map<String, Object> figures = new LinkedHashMap<>();
        window.putInto(figures);
        Percentiles.put(figures, "transaction", times);
        Verification.run(peer, job, committed.sum(), figures);
        return figures;
    }

    private void commit(JmsPeer peer, Job job, int producer, Window window) throws Exception {
        int per = (int) job.number("per", 1);
        try (TransactedSender sender = job.text("kind", "local").equals("xa")
                ? new XaSender(peer.connectXa(), job, producer)
                : new LocalSender(peer, job)) {
            for (long sequence = 0; !stopped; ) {
                long began = System.nanoTime();
                sender.begin();
                for (int i = 0; i < per; i++) {
                    sender.send(Body.of(producer, sequence++, began, job.bodyBytes()));
                }
                sender.commit();
                committed.add(per);
                if (window.contains(began)) {
                    times.recordValue(System.nanoTime() - began);
                }
            }
        }
    }
}
