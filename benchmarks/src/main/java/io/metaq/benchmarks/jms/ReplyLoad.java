package io.metaq.benchmarks.jms;

import io.metaq.benchmarks.driver.Job;
import io.metaq.benchmarks.driver.Percentiles;
import io.metaq.benchmarks.driver.Threads;
import io.metaq.benchmarks.driver.Window;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Requesters that each wait for the reply on a temporary queue of their own before they ask again, and as many responders.
 * All with a connection and session each, default delivery mode (so the request is persistent) and automatic
 * acknowledgement.
 */
final class ReplyLoad {

    private final int requesters;
    private final LongAdder trips = new LongAdder();
    private final LongAdder missing = new LongAdder();
    private final LongAdder mistaken = new LongAdder();
    private final Histogram times = new ConcurrentHistogram(3);
    private volatile boolean stopped;

    ReplyLoad(int requesters) {
        this.requesters = requesters;
    }

    Map<String, Object> run(JmsPeer peer, Job job) throws Exception {
        List<Connection> responders = new ArrayList<>();
        List<CompletableFuture<Void>> running = new ArrayList<>();
        Map<String, Object> figures = new LinkedHashMap<>();
        Window window = new Window(job, trips::sum);
        try {
            for (int i = 0; i < requesters; i++) {
                Connection connection = peer.connect();
                responders.add(connection);
                Responder.listen(connection, job);
                int number = i;
                running.add(Threads.run("jms-requester-" + i, () -> request(peer, job, number, window)));
            }
            window.measure(job);
            stopped = true;
            running.forEach(CompletableFuture::join);
        } finally {
            stopped = true;
            for (Connection connection : responders) {
                peer.disconnect(connection);
            }
        }
        window.putInto(figures);
        figures.put("missing", missing.sum());
        figures.put("disordered", mistaken.sum());
        Percentiles.put(figures, "trip", times);
        return figures;
    }

    private void request(JmsPeer peer, Job job, int number, Window window) throws JMSException {
        Connection connection = peer.connect();
        try {
            Requester requester = new Requester(connection, job, number);
            while (!stopped) {
                long began = System.nanoTime();
                switch (requester.ask()) {
                    case ANSWERED -> trips.increment();
                    case NOTHING -> missing.increment();
                    case WRONG -> mistaken.increment();
                }
                if (window.contains(began)) {
                    times.recordValue(System.nanoTime() - began);
                }
            }
        } finally {
            peer.disconnect(connection);
        }
    }
}
