package io.metaq.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What many topics cost: a broker that holds them with a message in each is started again, timed and weighed, then loaded on
 * one further topic in turns with a broker that has no other topic.
 */
final class ManyTopics {

    private static final Contender ONE = contender("one topic", Systems.METAQ_ALONE);
    private static final Contender MANY = contender("one of many", Systems.METAQ_MANY);

    private final ClassPaths classPaths;
    private final Path directory;
    private final Options options;
    private final Consumer<String> progress;

    ManyTopics(ClassPaths classPaths, Path directory, Options options, Consumer<String> progress) {
        this.classPaths = classPaths;
        this.directory = directory;
        this.options = options;
        this.progress = progress;
    }

    private static Contender contender(String name, String system) {
        return new Contender(name, system, Set.of(), Map.of(), Map.of());
    }

    String run() throws IOException, InterruptedException {
        Map<String, String> seed = Map.of(
                "workload", "seed", "topic", "seed", "durability", "os", "count", Long.toString(options.topics()));
        try (Systems before = new Systems(classPaths, directory, options)) {
            progress.accept(
                    "topics made: " + before.run(Systems.METAQ_MANY, seed).values());
        }
        try (Systems systems = new Systems(classPaths, directory, options)) {
            ServerProcess many = systems.server(Systems.METAQ_MANY);
            double startSeconds = many.startSeconds();
            long startMegabytes = many.residentMegabytes();
            progress.accept("started in " + startSeconds + " s with " + startMegabytes + " MB");
            Rounds rounds = new Rounds(systems::run, options, progress);
            Map<Contender, List<Figures>> results = rounds.run("async", List.of(MANY, ONE), options.warmupSeconds());
            String weighed = String.format(
                    Locale.ROOT,
                    "%,d topics: started in %.1f s, %d MB of memory then, %d MB after the load (heap %s).%n",
                    options.topics(),
                    startSeconds,
                    startMegabytes,
                    many.residentMegabytes(),
                    Systems.SMALL_HEAP);
            return Report.table("async", results).replace("### async\n", "### topics\n\n" + weighed);
        }
    }
}
