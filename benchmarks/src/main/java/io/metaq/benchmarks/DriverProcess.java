package io.metaq.benchmarks;

import io.metaq.benchmarks.driver.KeyValueLine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A driver, seen from the coordinator: one line in, one line out (see {@code Driver}). */
final class DriverProcess implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Spawned process;
    private final BufferedReader lines;
    private final PrintStream jobs;

    /** @param log file for what the driver's libraries say */
    DriverProcess(String name, List<String> command, Path log) throws IOException {
        this.process = Spawned.talking(name, command, log);
        this.lines = process.output();
        this.jobs = new PrintStream(process.input(), true, StandardCharsets.UTF_8);
        String first = nextLine();
        if (!first.equals("@ready")) {
            throw new IOException(name + " began with: " + first);
        }
    }

    Figures run(Map<String, String> job) throws IOException {
        jobs.println(KeyValueLine.format(job));
        return figures(nextLine());
    }

    static Figures figures(String line) throws IOException {
        if (!line.startsWith("@figures ")) {
            throw new IOException("the driver answered: " + line);
        }
        return Figures.parse(line.substring("@figures ".length()));
    }

    private String nextLine() throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("@")) {
                return line;
            }
        }
        throw new IOException("the driver ended: " + process.lastWords());
    }

    @Override
    public void close() throws InterruptedException {
        jobs.close();
        process.end(PATIENCE);
    }
}
