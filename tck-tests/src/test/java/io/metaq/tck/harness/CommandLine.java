package io.metaq.tck.harness;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Our command line in a process of its own. */
public final class CommandLine {
    /** How a command ended and what it said, standard output first. */
    public record Ended(int exitCode, String output) {}

    private CommandLine() {}

    public static Ended run(String... arguments) {
        Queue<String> lines = new ConcurrentLinkedQueue<>();
        var command = ChildJvm.command(
                ChildJvm.ownClassPath(), List.of("-Xmx256m"), "io.metaq.cli.Metaq", List.of(arguments));
        try (var process = ChildProcess.start("command", command, lines::add)) {
            int exitCode = process.awaitExit(Duration.ofSeconds(60));
            return new Ended(exitCode, String.join("\n", lines) + "\n" + process.errors());
        }
    }
}
