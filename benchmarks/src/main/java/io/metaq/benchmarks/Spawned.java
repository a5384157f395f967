package io.metaq.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process that ends with this one at the latest. */
final class Spawned {

    private static final int LAST_LINES = 20;

    private final Process process;
    private final Path log;
    private final Thread atExit;

    private Spawned(String name, Process process, Path log) {
        this.process = process;
        this.log = log;
        this.atExit = new Thread(process::destroyForcibly, "end-" + name);
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /** A process whose output goes to its log. */
    static Spawned silent(String name, List<String> command, Path log) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        return new Spawned(name, builder.redirectOutput(log.toFile()).start(), log);
    }

    /** A process to talk with; only its errors go to its log. */
    static Spawned talking(String name, List<String> command, Path log) throws IOException {
        return new Spawned(
                name, new ProcessBuilder(command).redirectError(log.toFile()).start(), log);
    }

    long pid() {
        return process.pid();
    }

    /** The last lines of its log: why it ended. */
    String lastWords() throws IOException {
        List<String> lines = Files.exists(log) ? Files.readAllLines(log) : List.of();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
    }

    boolean isAlive() {
        return process.isAlive();
    }

    BufferedReader output() {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    OutputStream input() {
        return process.getOutputStream();
    }

    /** Waits for its end, and enforces it when that takes too long. */
    void end(Duration patience) throws InterruptedException {
        if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
            process.destroyForcibly().waitFor();
        }
        Runtime.getRuntime().removeShutdownHook(atExit);
    }

    void stop(Duration patience) throws InterruptedException {
        process.destroy();
        end(patience);
    }
}
