package io.metaq.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Runs one workload over all contenders in turns. Every round begins with another contender, so that none always runs after
 * the same neighbour; what one wrote is on the disk before the next runs.
 */
final class Rounds {

    /** Runs a job on a system. */
    @FunctionalInterface
    interface Runner {
        Figures run(String system, Map<String, String> job) throws IOException, InterruptedException;
    }

    private static final int MOST_WARMUP_RUNS = 100;

    private final Runner runner;
    private final Options options;
    private final Consumer<String> progress;
    private int topics;

    Rounds(Runner runner, Options options, Consumer<String> progress) {
        this.runner = runner;
        this.options = options;
        this.progress = progress;
    }

    /** @return figures of each round by contender; contenders whose run failed have fewer, and are told of in the progress */
    Map<Contender, List<Figures>> run(String workload, List<Contender> contenders, double warmupSeconds)
            throws IOException, InterruptedException {
        List<Entry> entries = new ArrayList<>();
        for (Contender contender : contenders) {
            entries.add(new Entry(contender, prepare(workload, contender, warmupSeconds), new ArrayList<>()));
        }
        List<Entry> order = new ArrayList<>(entries);
        for (int round = 1; round <= options.rounds(); round++) {
            for (Entry entry : order) {
                Contender contender = entry.contender();
                String topic = workload.equals("drain") ? entry.backlog() : nextTopic(workload, contender);
                Map<String, String> job = job(workload, contender, topic, options.seconds(), options.settleSeconds());
                String label = workload + " " + round + "/" + options.rounds() + " " + contender.name();
                tryToRun(label, contender, job, entry.figures());
            }
            Collections.rotate(order, -1);
        }
        Map<Contender, List<Figures>> results = new LinkedHashMap<>();
        entries.forEach(entry -> results.put(entry.contender(), entry.figures()));
        return results;
    }

    /** @param backlog the topic that holds the backlog, where the workload has one */
    private record Entry(Contender contender, String backlog, List<Figures> figures) {}

    private void tryToRun(String label, Contender contender, Map<String, String> job, List<Figures> into)
            throws InterruptedException {
        try {
            Disk.writeOut();
            Figures figures = runner.run(contender.system(), job);
            into.add(figures);
            progress.accept(String.format("%s: %,.0f/s %s", label, figures.messagesPerSecond(), figures.values()));
        } catch (IOException failure) {
            progress.accept(label + " failed: " + failure.getMessage());
        }
    }

    /** Warms the contender up with the workload; fills its backlog where the workload needs one. */
    private String prepare(String workload, Contender contender, double warmupSeconds) throws InterruptedException {
        List<Figures> ignored = new ArrayList<>();
        String topic = nextTopic(workload, contender);
        Map<String, String> job = job(workload, contender, topic, warmupSeconds, 0);
        if (workload.equals("drain") && !contender.system().equals("reference")) {
            Map<String, String> fill = new HashMap<>(job);
            fill.put("workload", "fill");
            fill.putAll(contender.settingsFor("fill"));
            tryToRun("fill " + contender.name(), contender, fill, ignored);
        }
        warmUp(workload, contender, job, warmupSeconds);
        return topic;
    }

    /** A drain ends with its backlog, other workloads with their time: so a drain is repeated until its time is up too. */
    private void warmUp(String workload, Contender contender, Map<String, String> job, double seconds)
            throws InterruptedException {
        long end = System.nanoTime() + (long) (seconds * 1e9);
        for (int i = 1; i <= MOST_WARMUP_RUNS && System.nanoTime() - end < 0; i++) {
            List<Figures> run = new ArrayList<>();
            tryToRun("warm-up of " + workload + " " + contender.name(), contender, job, run);
            if (run.isEmpty() || !workload.equals("drain")) {
                return;
            }
        }
    }

    private String nextTopic(String workload, Contender contender) {
        return durability(workload, contender) + topics++;
    }

    private static String durability(String workload, Contender contender) {
        String usual = workload.startsWith("sync") ? "disk" : "os";
        return contender.settingsFor(workload).getOrDefault("durability", usual);
    }

    private Map<String, String> job(
            String workload, Contender contender, String topic, double seconds, double settleSeconds) {
        Map<String, String> job = new HashMap<>();
        job.put("workload", workload);
        job.put("topic", topic);
        job.put("durability", durability(workload, contender));
        job.put("seconds", Double.toString(seconds));
        job.put("settle", Double.toString(settleSeconds));
        job.put("count", Long.toString(options.backlog()));
        job.put("inflight", workload.equals("async") ? "1000" : "10000");
        job.putAll(JmsWorkload.job(workload));
        job.putAll(contender.settingsFor(workload));
        return job;
    }
}
