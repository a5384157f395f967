package io.metaq.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The load generator's entry; see {@link Options#USAGE}. Tables go to standard output, progress to standard error. */
final class Bench {

    private final Options options;
    private final Path directory;
    private final ClassPaths classPaths;
    private final List<String> tables = new ArrayList<>();
    private boolean complete = true;

    private Bench(Options options) {
        this.options = options;
        this.directory = options.directory().toAbsolutePath();
        this.classPaths = new ClassPaths(options.benchmarks());
    }

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
        System.exit(new Bench(options).run() ? 0 : 1);
    }

    /** @return whether every run of every contender gave figures */
    private boolean run() throws IOException, InterruptedException {
        refuseUnlessEmpty(directory);
        tables.add(Report.head(options));
        List<String> compared = new ArrayList<>(options.workloads());
        boolean topics = compared.removeIf(Options.TOPICS::equals);
        compare(compared);
        if (topics) {
            add(new ManyTopics(classPaths, directory.resolve("topics"), options, System.err::println).run());
        }
        System.out.println(String.join("\n", tables));
        return complete;
    }

    private void compare(List<String> workloads) throws IOException, InterruptedException {
        try (Systems systems = new Systems(classPaths, directory, options)) {
            Rounds rounds = new Rounds(systems::run, options, System.err::println);
            double warmup = options.warmupSeconds();
            for (String workload : workloads) {
                Map<Contender, List<Figures>> results = rounds.run(workload, contenders(workload), warmup);
                complete &= results.values().stream().allMatch(runs -> runs.size() == options.rounds());
                add(Report.table(workload, results));
                warmup = options.rewarmSeconds();
            }
        }
    }

    /** Shown at once, since a whole run takes long, and again at the end. */
    private void add(String table) {
        tables.add(table);
        System.err.println(table);
    }

    private List<Contender> contenders(String workload) {
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
