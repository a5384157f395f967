package io.metaq.benchmarks.driver;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Consumes a prepared backlog of {@code count} messages from its start. The time runs from the first arrival to the last,
 * so that joining a group or finding the broker is not part of it.
 */
final class DrainLoad implements Workload {

    private final Arrivals arrivals = new Arrivals();

    @Override
    public Map<String, Object> run(Peer peer, Job job) throws Exception {
        long count = job.number("count", 1_000_000);
        Map<String, Object> figures = new LinkedHashMap<>();
        Window window = new Window(job, arrivals::distinct);
        window.begin();
        try (Receiver receiver = peer.openReceiver(job, arrivals)) {
            Endings.await(() -> arrivals.distinct() >= count, job);
            window.end();
        }
        window.narrowTo(arrivals.firstNanos(), arrivals.lastNanos());
        window.putInto(figures);
        figures.put("missing", count - arrivals.distinct());
        figures.put("duplicated", arrivals.duplicated());
        figures.put("disordered", arrivals.disordered());
        return figures;
    }
}
