package io.metaq.benchmarks;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Workloads through the Jakarta Messaging API: names that begin with {@value #PREFIX}, and what they ask of the driver. */
final class JmsWorkload {

    static final String PREFIX = "jms-";

    private static final Map<String, Map<String, String>> JOBS = new LinkedHashMap<>();

    static {
        put("sync1", Map.of("workload", "sync1", "verify", "true"));
        put("sync8", Map.of("workload", "sync8", "verify", "true"));
        put("sync64", Map.of("workload", "sync64", "verify", "true"));
        put("shared8", Map.of("workload", "sync8", "verify", "true", "connection", "shared"));
        put("shared64", Map.of("workload", "sync64", "verify", "true", "connection", "shared"));
        put("async", Map.of("workload", "produce", "verify", "true", "inflight", "1000"));
        put("nonpersistent", Map.of("workload", "async", "persistent", "false", "backlog", "10000"));
        put("receive", Map.of("workload", "backlog", "receiver", "receive", "inflight", "1000"));
        put("listener", Map.of("workload", "backlog", "receiver", "listener", "inflight", "1000"));
        put("reply1", Map.of("workload", "reply1"));
        put("reply8", Map.of("workload", "reply8"));
        put("lat", Map.of("workload", "lat", "receiver", "listener"));
        transactions("tx1", "local", 1, 1);
        transactions("tx1x16", "local", 16, 1);
        transactions("tx100", "local", 1, 100);
        transactions("tx100x16", "local", 16, 100);
        transactions("xa1", "xa", 1, 1);
        transactions("xa1x16", "xa", 16, 1);
    }

    private JmsWorkload() {}

    private static void put(String name, Map<String, String> job) {
        Map<String, String> settings = new HashMap<>(job);
        // Queues must be empty in the end, however slowly a peer delivers what it took.
        settings.put("patience", "120");
        JOBS.put(PREFIX + name, settings);
    }

    private static void transactions(String name, String kind, int threads, int per) {
        put(
                name,
                Map.of(
                        "workload",
                        "transactions",
                        "kind",
                        kind,
                        "threads",
                        Integer.toString(threads),
                        "per",
                        Integer.toString(per),
                        "verify",
                        "true"));
    }

    /** Those with transactions; the others. */
    static List<String> group(boolean transactions) {
        return JOBS.entrySet().stream()
                .filter(entry -> transactions == entry.getValue().containsKey("kind"))
                .map(Map.Entry::getKey)
                .toList();
    }

    static List<String> names() {
        return List.copyOf(JOBS.keySet());
    }

    static boolean is(String workload) {
        return JOBS.containsKey(workload);
    }

    /** Settings of its jobs; empty for other workloads. */
    static Map<String, String> job(String workload) {
        return JOBS.getOrDefault(workload, Map.of());
    }
}
