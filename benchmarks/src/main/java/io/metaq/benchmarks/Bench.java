package io.metaq.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The load generator's entry; see {@link Options#USAGE}. */
final class Bench {

    private Bench() {}

    public static void main(String[] args) throws Exception {
        Options options;
        try {
            options = Options.parse(List.of(args));
        } catch (IllegalArgumentException wrong) {
            System.err.println(wrong.getMessage());
            System.err.println(Options.USAGE);
            System.exit(2);
            return;
        }
        System.exit(run(options) ? 0 : 1);
    }

    /** @return whether every run of every contender gave figures */
    private static boolean run(Options options) throws IOException, InterruptedException {
        Path directory = options.directory().toAbsolutePath();
        refuseUnlessEmpty(directory);
        List<String> tables = new ArrayList<>();
        boolean complete = true;
        ClassPaths classPaths = new ClassPaths(options.benchmarks());
        try (Systems systems = new Systems(classPaths, directory, options)) {
            Rounds rounds = new Rounds(systems::run, options, System.err::println);
            double warmup = options.warmupSeconds();
            for (String workload : options.workloads()) {
                Map<Contender, List<Figures>> results = rounds.run(workload, contenders(options, workload), warmup);
                complete &= results.values().stream().allMatch(runs -> runs.size() == options.rounds());
                tables.add(Report.table(workload, results));
                System.err.println(tables.get(tables.size() - 1));
                warmup = options.rewarmSeconds();
            }
        }
        System.out.println(String.join("\n", tables));
        return complete;
    }

    private static List<Contender> contenders(Options options, String workload) {
        return Contender.all().stream()
                .filter(contender -> options.systems().contains(contender.system()))
                .filter(contender -> contender.takesPartIn(workload))
                .toList();
    }

    /** Brokers must start on nothing, and this program deletes nothing that it did not make. */
    private static void refuseUnlessEmpty(Path directory) throws IOException {
        Files.createDirectories(directory);
        try (Stream<Path> entries = Files.list(directory)) {
            if (entries.findAny().isPresent()) {
                throw new IOException(directory + " is not empty: give an empty --directory");
            }
        }
    }
}
