package io.metaq.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The demo's broker: a process of its own on a temporary data directory. Closing it, or ending this process in any way that lets
 * it do something more, leaves no process and no file.
 */
final class DemoBroker implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(120);
    /** The broker's low mark for free space, journal files in reserve, ZooKeeper. */
    private static final long ROOM = 640L << 20;

    private static final Duration STOP = Duration.ofSeconds(30);

    private final Path directory;
    private final boolean keep;
    private final Thread hook = new Thread(this::abandon, "metaq-demo-cleanup");
    private @Nullable BrokerProcess process;
    private int port;

    private DemoBroker(Path directory, boolean keep) {
        this.directory = directory;
        this.keep = keep;
    }

    /**
     * Makes its directory.
     *
     * @param parent null for the system's place for temporary files
     * @param payload bytes that will be streamed
     * @throws CommandFailedException if there is no room for them
     */
    static DemoBroker create(@Nullable Path parent, boolean keep, long payload) throws IOException {
        Path directory = parent == null
                ? Files.createTempDirectory("metaq-demo-")
                : Files.createTempDirectory(Files.createDirectories(parent), "metaq-demo-");
        long needed = ROOM + 4 * payload; // in the journal and in the partition logs, with a header for every line
        long free = Files.getFileStore(directory).getUsableSpace();
        if (free < needed) {
            Files.delete(directory);
            throw new CommandFailedException("the demo needs " + (needed >> 20) + " MB, and " + directory.getParent()
                    + " has " + (free >> 20) + " MB free; give it another place by --directory DIR");
        }
        DemoBroker broker = new DemoBroker(directory.toAbsolutePath(), keep);
        Runtime.getRuntime().addShutdownHook(broker.hook);
        return broker;
    }

    Path directory() {
        return directory;
    }

    /** Starts it, on the port it had before if it had one, and returns when it serves. */
    synchronized RunningBroker start() throws IOException, InterruptedException {
        Path config = directory.resolve("server.ini");
        Files.write(
                config,
                List.of("[system]", "serverPort=" + port, "[zookeeper]", "zk.embedded=true", "zk.embeddedPort=0"));
        List<String> arguments = new ArrayList<>(List.of("--config", config.toString()));
        Path data = directory.resolve("data");
        arguments.addAll(List.of("--data-path", data.toString()));
        BrokerProcess started = BrokerProcess.start(data, arguments, false);
        process = started;
        RunningBroker broker = started.awaitReady(START);
        port = Integer.parseInt(broker.address().substring(broker.address().lastIndexOf(':') + 1));
        return broker;
    }

    /** kill -9. Returns when the process is gone. */
    synchronized void kill() throws InterruptedException {
        if (process != null) {
            process.kill();
            process = null;
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        synchronized (this) {
            if (process != null) {
                process.stop(STOP);
                process = null;
            }
        }
        removeFiles();
        Runtime.getRuntime().removeShutdownHook(hook);
    }

    /** The end by Ctrl-C: no time for a graceful stop. */
    private void abandon() {
        BrokerProcess last = process; // not synchronized: a start may be waiting, and the data is thrown away anyway
        try {
            if (last != null) {
                last.kill();
            }
            removeFiles();
        } catch (IOException | InterruptedException e) {
            System.err.println("metaq: could not remove " + directory + ": " + e);
        }
    }

    private void removeFiles() throws IOException {
        if (keep || !Files.exists(directory)) {
            return;
        }
        try (Stream<Path> tree = Files.walk(directory)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
