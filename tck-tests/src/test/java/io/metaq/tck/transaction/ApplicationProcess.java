package io.metaq.tck.transaction;

import io.metaq.tck.harness.ChildProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** An {@link Application} or a {@link Ferry} in a process of its own. */
final class ApplicationProcess implements AutoCloseable {
    private static final long PATIENCE_MS = 60_000;
    private static final long LOOK_MS = 20;

    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final ChildProcess process;

    private ApplicationProcess(Class<?> main, List<String> arguments) {
        process = ChildProcess.startJava("application", main.getName(), arguments, lines::add);
    }

    /** Starts it and waits for nothing: it answers when it can. */
    static ApplicationProcess start(int port, Path folder, String node) {
        return new ApplicationProcess(Application.class, List.of(uri(port), folder.toString(), node));
    }

    /** The same for a {@link Ferry} between two brokers. */
    static ApplicationProcess startFerry(int from, int to, Path folder) {
        return new ApplicationProcess(Ferry.class, List.of(uri(from), uri(to), folder.toString()));
    }

    private static String uri(int port) {
        return "metaq://127.0.0.1:" + port;
    }

    void send(String line) {
        process.send(line);
    }

    /** Sends a command and gives what comes behind {@code answer}. */
    String ask(String command, String answer) {
        send(command);
        return await(answer);
    }

    /** Waits for a line that begins with this word; gives the rest. */
    String await(String answer) {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
        while (System.nanoTime() - until < 0) {
            String line = poll();
            if (line == null && process.isAlive()) {
                continue;
            }
            if (line == null || !(line + " ").startsWith(answer + " ")) {
                throw new IllegalStateException(
                        "the application said %s instead of %s%n%s".formatted(line, answer, process.lastErrors()));
            }
            return line.substring(answer.length()).trim();
        }
        throw new IllegalStateException("the application never said %s%n%s".formatted(answer, process.lastErrors()));
    }

    private @Nullable String poll() {
        try {
            return lines.poll(LOOK_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Whether it has said something that was not awaited yet. */
    boolean hasSpoken() {
        return !lines.isEmpty();
    }

    void kill9() {
        process.kill9();
    }

    @Override
    public void close() {
        process.close();
    }
}
