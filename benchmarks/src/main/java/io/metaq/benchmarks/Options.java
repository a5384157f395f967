package io.metaq.benchmarks;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What to run.
 *
 * @param warmupSeconds load on every system before anything is measured, with the first workload
 * @param rewarmSeconds load on every contender before each further workload
 * @param seconds measured time of one run
 * @param settleSeconds load before the measured time of each run
 * @param backlog messages of the backlog that is drained
 * @param topics number of topics for the workload {@code topics}
 * @param heap of every process, as in {@code -Xmx}
 */
record Options(
        List<String> workloads,
        List<String> systems,
        int rounds,
        double warmupSeconds,
        double rewarmSeconds,
        double seconds,
        double settleSeconds,
        long backlog,
        long topics,
        String heap,
        Path directory,
        Path benchmarks) {

    static final List<String> ALL = List.of("async", "produce", "drain", "sync1", "sync8", "sync64", "lat");

    /** A workload of MetaQ alone; see {@link ManyTopics}. */
    static final String TOPICS = "topics";

    private static final long BACKLOG = 1_000_000;

    /** Smaller, since it is filled anew for every run. */
    private static final long JMS_BACKLOG = 100_000;

    static final String USAGE = """
            usage: benchmarks/run [options] WORKLOAD...
            workloads: async produce drain sync1 sync8 sync64 lat | all | topics | jmh
                       jms-sync1 jms-sync8 jms-sync64 jms-shared8 jms-shared64 jms-async jms-nonpersistent
                       jms-receive jms-listener jms-reply1 jms-reply8 jms-lat | jms
                       jms-tx1 jms-tx1x16 jms-tx100 jms-tx100x16 jms-xa1 jms-xa1x16 | jms-transactions
              --quick          a smoke test of seconds; its figures mean nothing
              --rounds N       runs per contender and workload, interleaved (5)
              --warmup S       seconds of load before anything is measured (40)
              --rewarm S       seconds of load before each further workload (10)
              --seconds S      measured seconds of one run (10)
              --settle S       seconds of load at the beginning of each run that are not measured (2)
              --backlog N      messages to drain (1000000; 100000 for jms-receive and jms-listener)
              --topics N       topics for the workload of that name (10000)
              --systems A,B    of: metaq raw kafka metaq14 reference; for jms: metaq-jms artemis classic (all)
              --heap SIZE      of every process (2g)
              --directory DIR  for data and logs; must not exist, or be empty (benchmarks/target/data)""";

    /** @throws IllegalArgumentException with a text for the user */
    static Options parse(List<String> arguments) {
        Builder builder = new Builder();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (argument.equals("--quick")) {
                builder.quick();
            } else if (argument.startsWith("--")) {
                if (i + 1 == arguments.size()) {
                    throw new IllegalArgumentException(argument + " needs a value");
                }
                builder.set(argument, arguments.get(++i));
            } else {
                builder.workload(argument);
            }
        }
        return builder.build();
    }

    private static final class Builder {
        private final List<String> workloads = new ArrayList<>();
        private List<String> systems = List.of(
                "metaq",
                "raw",
                "kafka",
                "metaq14",
                "reference",
                "metaq-jms",
                "artemis",
                "classic",
                Systems.CLASSIC_STORED);
        private int rounds = 5;
        private double warmup = 40;
        private double rewarm = 10;
        private double seconds = 10;
        private double settle = 2;
        private long backlog;
        private long topics = 10_000;
        private String heap = "2g";
        private Path benchmarks = Path.of("benchmarks");
        private Path directory = Path.of("benchmarks", "target", "data");

        void quick() {
            rounds = 1;
            warmup = 1;
            rewarm = 0.5;
            seconds = 1;
            settle = 0.5;
            backlog = 50_000;
            topics = 200;
            heap = "512m";
        }

        void workload(String name) {
            if (name.equals("all")) {
                workloads.addAll(ALL);
            } else if (name.equals("jms") || name.equals("jms-transactions")) {
                workloads.addAll(JmsWorkload.group(!name.equals("jms")));
            } else if (ALL.contains(name) || name.equals(TOPICS) || JmsWorkload.is(name)) {
                workloads.add(name);
            } else {
                throw new IllegalArgumentException("no workload " + name);
            }
        }

        void set(String option, String value) {
            switch (option) {
                case "--rounds" -> rounds = Integer.parseInt(value);
                case "--warmup" -> warmup = Double.parseDouble(value);
                case "--rewarm" -> rewarm = Double.parseDouble(value);
                case "--seconds" -> seconds = Double.parseDouble(value);
                case "--settle" -> settle = Double.parseDouble(value);
                case "--backlog" -> backlog = Long.parseLong(value);
                case "--topics" -> topics = Long.parseLong(value);
                case "--systems" -> systems = List.of(value.split(","));
                case "--heap" -> heap = value;
                case "--directory" -> directory = Path.of(value);
                case "--benchmarks" -> benchmarks = Path.of(value);
                default -> throw new IllegalArgumentException("no option " + option);
            }
        }

        Options build() {
            if (workloads.isEmpty()) {
                throw new IllegalArgumentException("no workload given");
            }
            if (backlog == 0) {
                backlog = workloads.stream().anyMatch(JmsWorkload::is) ? JMS_BACKLOG : BACKLOG;
            }
            return new Options(
                    workloads,
                    systems,
                    rounds,
                    warmup,
                    rewarm,
                    seconds,
                    settle,
                    backlog,
                    topics,
                    heap,
                    directory,
                    benchmarks);
        }
    }
}
