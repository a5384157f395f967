package io.metaq.benchmarks.driver;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** Makes {@code count} topics, named by the job's topic and a number, with one message each. */
final class SeedLoad implements Workload {

    @Override
    public Map<String, Object> run(Peer peer, Job job) throws Exception {
        long count = job.number("count", 10_000);
        long began = System.nanoTime();
        for (long i = 0; i < count; i++) {
            Map<String, String> settings = new HashMap<>(job.settings());
            settings.put("topic", job.topic() + i);
            Job one = new Job(settings);
            peer.createTopic(one);
            try (Sender sender = peer.openSender(one)) {
                sender.sendAndWait(Body.of(0, 0, began, job.bodyBytes()));
            }
        }
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("messages", count);
        figures.put("seconds", (System.nanoTime() - began) / 1e9);
        return figures;
    }
}
