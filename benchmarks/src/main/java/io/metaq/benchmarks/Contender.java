package io.metaq.benchmarks;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A line of a table: a system with one set of settings. Several contenders may share a system, that is its processes.
 *
 * @param system key of {@link Systems}
 * @param workloads the workloads it takes part in; empty: all but those through the Jakarta Messaging API
 * @param settings for every job
 * @param byWorkload further settings for jobs of one workload
 */
record Contender(
        String name,
        String system,
        Set<String> workloads,
        Map<String, String> settings,
        Map<String, Map<String, String>> byWorkload) {

    boolean takesPartIn(String workload) {
        return workloads.contains(workload) || (workloads.isEmpty() && !JmsWorkload.is(workload));
    }

    Map<String, String> settingsFor(String workload) {
        Map<String, String> all = new HashMap<>(settings);
        all.putAll(byWorkload.getOrDefault(workload, Map.of()));
        return all;
    }

    /** Workloads that have a bound in the machine itself. */
    private static final Set<String> REFERENCES = Set.of("drain", "sync1", "sync8", "sync64");

    /** Kafka as its documentation advises for throughput: batches on both sides; for latency: no wait on either. */
    private static Contender kafka(String name, String acks, Set<String> workloads) {
        Map<String, String> throughput = Map.of("kafka.linger", "5", "kafka.fetchMin", "1");
        return new Contender(
                name,
                "kafka",
                workloads,
                Map.of("acks", acks),
                Map.of("async", throughput, "produce", throughput, "fill", throughput, "drain", throughput));
    }

    private static Contender jms(String name, String system, Map<String, String> settings) {
        return new Contender(name, system, Set.copyOf(JmsWorkload.names()), settings, Map.of());
    }

    static List<Contender> all() {
        return List.of(
                new Contender("MetaQ", "metaq", Set.of(), Map.of(), Map.of()),
                new Contender("MetaQ, plain sockets", "raw", Set.of("async", "produce", "drain"), Map.of(), Map.of()),
                kafka("Kafka acks=1", "1", Set.of()),
                kafka("Kafka acks=all", "all", Set.of("async", "produce", "lat")),
                // 1.4 shows messages only when flushed: at a modest rate its group commit is its fastest setting.
                new Contender("MetaQ 1.4", "metaq14", Set.of(), Map.of(), Map.of("lat", Map.of("durability", "disk"))),
                new Contender("the machine", "reference", REFERENCES, Map.of(), Map.of()),
                jms("MetaQ", "metaq-jms", Map.of()),
                jms("ActiveMQ Artemis", "artemis", Map.of("fill", "transacted")),
                jms("ActiveMQ Classic", "classic", Map.of("fill", "transacted")),
                // For what waits for messages, not for answers: Classic gives them to consumers before they are stored.
                new Contender(
                        "ActiveMQ Classic, stored first",
                        Systems.CLASSIC_STORED,
                        Set.of("jms-reply1", "jms-reply8", "jms-lat"),
                        Map.of(),
                        Map.of()));
    }
}
