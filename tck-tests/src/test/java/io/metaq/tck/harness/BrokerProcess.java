package io.metaq.tck.harness;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Our broker as users run it: the command line's {@code start -f} in a process of its own, which ends with the test. */
public final class BrokerProcess implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration STOP = Duration.ofSeconds(40);

    private final BrokerFiles files;
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private final ChildProcess process;

    private BrokerProcess(BrokerFiles files, List<String> wrapper, List<String> jvmOptions) {
        this.files = files;
        List<String> command = new ArrayList<>(wrapper);
        command.addAll(ChildJvm.command(
                ChildJvm.ownClassPath(),
                jvmOptions,
                Leashed.class.getName(),
                List.of("io.metaq.cli.Metaq", "start", "-f", files.write().toString())));
        process = ChildProcess.start("broker", command, lines::add);
    }

    /** Starts a broker and waits until it answers. */
    public static BrokerProcess start(BrokerFiles files, String... jvmOptions) {
        var broker = launch(files, List.of(), jvmOptions);
        broker.awaitAnswer();
        return broker;
    }

    /** Starts a broker, under the command {@code wrapper} if that is not empty, and waits for nothing. */
    public static BrokerProcess launch(BrokerFiles files, List<String> wrapper, String... jvmOptions) {
        List<String> options = new ArrayList<>(List.of("-Xmx512m"));
        options.addAll(List.of(jvmOptions));
        return new BrokerProcess(files, wrapper, options);
    }

    /** Waits until the broker answers {@code version}; fails at once, with its output, if it ends instead. */
    public void awaitAnswer() {
        await().atMost(START).pollInterval(Duration.ofMillis(20)).until(() -> {
            if (!process.isAlive()) {
                throw new IllegalStateException("the broker ended%n%s".formatted(output()));
            }
            return answers();
        });
    }

    private boolean answers() {
        try (var wire = wire()) {
            return wire.ask("version").ok();
        } catch (IOException e) {
            return false;
        }
    }

    /** A new connection to it. */
    public Wire wire() throws IOException {
        return Wire.connect(files.port());
    }

    public int port() {
        return files.port();
    }

    public BrokerFiles files() {
        return files;
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** {@code kill -9}. */
    public void kill9() {
        process.kill9();
    }

    /** Sends a signal by name, such as {@code STOP}. */
    public void signal(String name) {
        process.signal(name);
    }

    /** SIGTERM, and waits for the end; gives the exit code. */
    public int stop() {
        process.terminate();
        return process.awaitExit(STOP);
    }

    /** Waits until it ended by itself; gives the exit code. */
    public int awaitExit() {
        return process.awaitExit(STOP);
    }

    /** Everything it wrote so far, standard output first. */
    public String output() {
        return String.join("\n", lines) + "\n" + process.errors();
    }

    @Override
    public void close() {
        process.close();
    }
}
