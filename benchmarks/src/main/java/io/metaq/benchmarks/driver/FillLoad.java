package io.metaq.benchmarks.driver;

import java.util.LinkedHashMap;
import java.util.Map;

/** Prepares the backlog that {@link DrainLoad} consumes: {@code count} messages, all acknowledged. */
final class FillLoad implements Workload {

    @Override
    public Map<String, Object> run(Peer peer, Job job) throws Exception {
        peer.createTopic(job);
        long count = job.number("count", 1_000_000);
        Map<String, Object> figures = new LinkedHashMap<>();
        try (Sender sender = peer.openSender(job)) {
            Flow flow = new Flow(sender, 0, job.bodyBytes(), (int) job.number("inflight", 1000));
            Window window = new Window(job, flow::acknowledged);
            window.begin();
            for (long i = 0; i < count; i++) {
                flow.next();
            }
            flow.finish();
            window.end();
            window.putInto(figures);
        }
        return figures;
    }
}
