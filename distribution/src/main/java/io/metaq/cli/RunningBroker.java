package io.metaq.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A broker that serves a data directory, as it says itself in the file {@code broker.pid} there once its port is open.
 *
 * @param pid of its process
 * @param startedMs when that process began, milliseconds since 1970: a number given to another process later is recognised
 * @param address where clients on this machine reach it, {@code host:port}
 * @param admin where it is reached by HTTP from this machine, a URL; empty if it is not
 */
record RunningBroker(long pid, long startedMs, String address, String admin) {
    private static final long CLOCK_SLACK_MS = 2_000;

    static Path fileIn(Path dataPath) {
        return dataPath.resolve("broker.pid");
    }

    /** This process, serving at an address. */
    static RunningBroker self(String address, String admin) {
        ProcessHandle self = ProcessHandle.current();
        return new RunningBroker(self.pid(), started(self), address, admin);
    }

    /** The broker of a data directory, if its process is alive. */
    static Optional<RunningBroker> find(Path dataPath) throws IOException {
        try {
            List<String> lines = Files.readAllLines(fileIn(dataPath));
            if (lines.size() < 3) {
                return Optional.empty();
            }
            RunningBroker broker = new RunningBroker(
                    Long.parseLong(lines.get(0)),
                    Long.parseLong(lines.get(1)),
                    lines.get(2),
                    lines.size() > 3 ? lines.get(3) : "");
            return broker.process().isPresent() ? Optional.of(broker) : Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (NumberFormatException e) {
            throw new IOException(fileIn(dataPath) + " is damaged; if no broker is running, remove it", e);
        }
    }

    /** Its addresses in words. */
    String addresses() {
        return "address " + address + (admin.isEmpty() ? "" : ", admin " + admin);
    }

    /** Leaves word in the data directory; whole or not at all. */
    void announce(Path dataPath) throws IOException {
        Path whole = fileIn(dataPath);
        Path draft = whole.resolveSibling("broker.pid.new");
        Files.write(draft, List.of(Long.toString(pid), Long.toString(startedMs), address, admin));
        Files.move(draft, whole, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Its process; empty if that has ended. */
    Optional<ProcessHandle> process() {
        return ProcessHandle.of(pid)
                .filter(ProcessHandle::isAlive)
                .filter(process -> Math.abs(started(process) - startedMs) <= CLOCK_SLACK_MS);
    }

    private static long started(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }
}
