package io.metaq.benchmarks.driver;

import java.util.Map;

/** One way of loading a peer. Runs once per job, and gives figures by name. */
interface Workload {

    Map<String, Object> run(Peer peer, Job job) throws Exception;

    /** @throws IllegalArgumentException if there is none of that name */
    static Workload named(String name) {
        return switch (name) {
            case "async" -> new StreamLoad(true);
            case "produce" -> new StreamLoad(false);
            case "lat" -> new SteadyLoad();
            case "sync1", "sync8", "sync64" -> new WaitingLoad(Integer.parseInt(name.substring(4)));
            case "fill" -> new FillLoad();
            case "drain" -> new DrainLoad();
            case "seed" -> new SeedLoad();
            default -> throw new IllegalArgumentException("no workload " + name);
        };
    }
}
