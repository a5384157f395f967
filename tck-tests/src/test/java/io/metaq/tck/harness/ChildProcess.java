package io.metaq.tck.harness;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A process that ends with its test. Standard output is handed on by line; standard error goes to a file under {@code
 * target/tck}, whose end is shown when something goes wrong.
 */
public final class ChildProcess implements AutoCloseable {
    private static final AtomicInteger STARTED = new AtomicInteger();
    private static final int SHOWN_LINES = 40;

    private final String name;
    private final Process process;
    private final BufferedWriter in;
    private final Path errors;
    private final Thread reader;

    private ChildProcess(String name, Process process, Path errors, Consumer<String> lines) {
        this.name = name;
        this.process = process;
        this.errors = errors;
        this.in = process.outputWriter(StandardCharsets.UTF_8);
        this.reader = new Thread(() -> readInto(lines), "output of " + name);
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts a command; {@code lines} is given each line of standard output, on a thread of its own. */
    public static ChildProcess start(String name, List<String> command, Consumer<String> lines) {
        try {
            Path directory = Files.createDirectories(Path.of("target", "tck"));
            Path errors = directory.resolve(
                    "%s-%d-%d.err".formatted(name, ProcessHandle.current().pid(), STARTED.incrementAndGet()));
            var process =
                    new ProcessBuilder(command).redirectError(errors.toFile()).start();
            return new ChildProcess(name, process, errors, lines);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + name, e);
        }
    }

    /** Starts a main of this test run's class path. */
    public static ChildProcess startJava(String name, String main, List<String> arguments, Consumer<String> lines) {
        return start(name, ChildJvm.command(ChildJvm.ownClassPath(), List.of("-Xmx128m"), main, arguments), lines);
    }

    private void readInto(Consumer<String> lines) {
        try (var out = process.inputReader(StandardCharsets.UTF_8)) {
            out.lines().forEach(lines);
        } catch (IOException | UncheckedIOException e) {
            // The process was killed while its output was read: what it said so far has been handed on
            lines.accept("(output ended: " + e.getMessage() + ")");
        }
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public synchronized void send(String line) {
        try {
            in.write(line);
            in.newLine();
            in.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("%s is gone%n%s".formatted(name, lastErrors()), e);
        }
    }

    /** Sends a signal by its name, such as {@code STOP}; to this process only. */
    public void signal(String signal) {
        try {
            new ProcessBuilder("kill", "-" + signal, Long.toString(pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Ends it as {@code kill -9} does and waits until it is gone. */
    public void kill9() {
        process.destroyForcibly();
        awaitExit(Duration.ofSeconds(20));
    }

    /** Asks it to end (SIGTERM); unlike {@link Process#destroy()} this leaves its standard input open. */
    public void terminate() {
        signal("TERM");
    }

    /** Waits until the process has ended and all its output was read; gives the exit code. */
    public int awaitExit(Duration atMost) {
        try {
            if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException(
                        "%s (pid %d) still runs after %s%n%s".formatted(name, pid(), atMost, lastErrors()));
            }
            reader.join();
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** What it wrote to standard error. */
    public String errors() {
        try {
            return Files.readString(errors);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The last lines of {@link #errors()}, for a message. */
    public String lastErrors() {
        List<String> all = errors().lines().toList();
        return all.stream().skip(Math.max(0, all.size() - SHOWN_LINES)).collect(Collectors.joining("\n"));
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            signal("CONT");
            kill9();
        }
    }
}
