package io.metaq.cli;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Starts a broker as a process of its own, with the options that {@code bin/metaq start} would give it, and waits until it
 * serves.
 */
final class BrokerProcess {
    private static final Path SETSID = Path.of("/usr/bin/setsid");
    private static final long CHECK_MS = 20;
    private static final int LAST_LINES = 5;

    private final Process process;
    private final Path dataPath;
    private final Path console;

    private BrokerProcess(Process process, Path dataPath, Path console) {
        this.process = process;
        this.dataPath = dataPath;
        this.console = console;
    }

    /**
     * Starts it.
     *
     * @param dataPath of the broker; its log goes to logs/ there
     * @param arguments of the command start
     * @param detached whether it outlives the terminal it was started from
     */
    static BrokerProcess start(Path dataPath, List<String> arguments, boolean detached) throws IOException {
        Path logs = Files.createDirectories(dataPath.resolve("logs"));
        Path console = logs.resolve("console.log");
        Files.deleteIfExists(RunningBroker.fileIn(dataPath));
        Files.deleteIfExists(console);
        List<String> command = new ArrayList<>();
        if (detached && Files.isExecutable(SETSID)) {
            command.add(SETSID.toString());
        }
        command.addAll(java(logs));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(nothing())
                .redirectOutput(ProcessBuilder.Redirect.appendTo(console.toFile()))
                .redirectErrorStream(true);
        builder.environment().putIfAbsent("METAQ_LOG", "file");
        return new BrokerProcess(builder.start(), dataPath, console);
    }

    private static List<String> java(Path logs) {
        Map<String, String> environment = System.getenv();
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        String home = System.getProperty("metaq.home");
        if (home != null) {
            Path conf = Path.of(home, "conf");
            command.add("@" + conf.resolve("jvm-broker.options"));
            command.add("-Dmetaq.home=" + home);
            command.add("-Dlogback.configurationFile=" + conf.resolve("logback-broker.xml"));
        }
        command.add("-Xmx" + environment.getOrDefault("METAQ_HEAP", "512m"));
        Stream.of(environment.getOrDefault("METAQ_OPTS", "").split("\\s+"))
                .filter(option -> !option.isEmpty())
                .forEach(command::add);
        command.add("-Dmetaq.log.dir=" + logs);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Metaq.class.getName(), "start"));
        return command;
    }

    private static ProcessBuilder.Redirect nothing() {
        return ProcessBuilder.Redirect.from(new File(File.separatorChar == '/' ? "/dev/null" : "NUL"));
    }

    /**
     * Waits until it has opened its port.
     *
     * @throws CommandFailedException with the last lines of its output, if it ends or takes too long
     */
    RunningBroker awaitReady(Duration timeout) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (System.nanoTime() < deadline) {
            Optional<RunningBroker> broker = RunningBroker.find(dataPath);
            if (broker.isPresent()) {
                return broker.get();
            }
            if (process.waitFor(CHECK_MS, TimeUnit.MILLISECONDS)) {
                throw new CommandFailedException("the broker did not start: " + lastOutput());
            }
        }
        process.destroyForcibly();
        throw new CommandFailedException(
                "the broker was not ready within " + timeout.toSeconds() + " s; see " + console);
    }

    /** kill -9: the process has no chance to do anything more. Returns when it is gone. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Asks it to stop, and kills it if it does not within the time. Returns when it is gone. */
    void stop(Duration timeout) throws InterruptedException {
        process.destroy();
        if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
            kill();
        }
    }

    long pid() {
        return process.pid();
    }

    private String lastOutput() throws IOException {
        List<String> lines = Files.readAllLines(console, java.nio.charset.StandardCharsets.ISO_8859_1);
        String text = String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()))
                .strip();
        String message = text.startsWith("metaq: ") ? text.substring("metaq: ".length()) : text;
        return Objects.requireNonNullElse(message.isEmpty() ? null : message, "exit code " + process.exitValue());
    }
}
