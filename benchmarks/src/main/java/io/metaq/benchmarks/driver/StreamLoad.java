package io.metaq.benchmarks.driver;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One producer as fast as its window allows; with a consumer at the same time ({@code async}) or without
 * ({@code produce}). The producer holds back while the consumer is more than {@code backlog} messages behind, so that both
 * are measured at the same rate.
 */
final class StreamLoad implements Workload {

    private final boolean consumes;
    private final Arrivals arrivals = new Arrivals();
    private volatile boolean stopped;

    StreamLoad(boolean consumes) {
        this.consumes = consumes;
    }

    @Override
    public Map<String, Object> run(Peer peer, Job job) throws Exception {
        peer.createTopic(job);
        @Nullable Receiver receiver = consumes ? peer.openReceiver(job, arrivals) : null;
        Map<String, Object> figures = new LinkedHashMap<>();
        try (Sender sender = peer.openSender(job)) {
            Flow flow = new Flow(sender, 0, job.bodyBytes(), (int) job.number("inflight", 1000));
            Window window = new Window(job, consumes ? arrivals::distinct : flow::acknowledged);
            CompletableFuture<Void> producing = Threads.run("load-producer", () -> produce(flow, job));
            window.measure(job);
            stopped = true;
            producing.join();
            window.putInto(figures);
            if (consumes) {
                Endings.await(() -> arrivals.distinct() >= flow.sent(), job);
                figures.put("missing", flow.acknowledged() - arrivals.distinct());
                figures.put("duplicated", arrivals.duplicated());
                figures.put("disordered", arrivals.disordered());
            } else {
                Verification.run(peer, job, flow.acknowledged(), figures);
            }
        } finally {
            if (receiver != null) {
                receiver.close();
            }
        }
        peer.deleteTopic(job);
        return figures;
    }

    private void produce(Flow flow, Job job) throws Exception {
        long backlog = job.number("backlog", 50_000);
        while (!stopped) {
            if (consumes && (flow.sent() & 0xFF) == 0 && flow.sent() - arrivals.distinct() > backlog) {
                Window.pause(100_000);
                continue;
            }
            flow.next();
        }
        flow.finish();
    }
}
