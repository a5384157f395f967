package io.metaq.benchmarks.driver;

import java.util.Map;

/**
 * Receives what a workload without a consumer sent, after its measured time: where a job says {@code verify=true}, as for
 * queues, which keep what nobody receives.
 */
public final class Verification {

    private Verification() {}

    public static void run(Peer peer, Job job, long acknowledged, Map<String, Object> figures) throws Exception {
        if (!job.text("verify", "false").equals("true")) {
            return;
        }
        Arrivals arrivals = new Arrivals();
        try (Receiver receiver = peer.openReceiver(job, arrivals)) {
            Endings.await(() -> arrivals.distinct() >= acknowledged, job);
        }
        figures.put("missing", acknowledged - arrivals.distinct());
        figures.put("duplicated", arrivals.duplicated());
        figures.put("disordered", arrivals.disordered());
    }
}
