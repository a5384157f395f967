package io.metaq.tck.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What a process holds.
 *
 * @param heapBytes of live objects, after a collection
 */
record Gauge(long heapBytes, long openFiles) {

    static Gauge of(long pid) {
        long bytes = jcmd(pid, "GC.class_histogram").stream()
                .filter(line -> line.startsWith("Total"))
                .mapToLong(line -> Long.parseLong(line.trim().split("\\s+")[2]))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no histogram of process " + pid));
        try (var descriptors = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
            return new Gauge(bytes, descriptors.count());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The stacks of a process's threads. */
    static List<String> threads(long pid) {
        return jcmd(pid, "Thread.print");
    }

    private static List<String> jcmd(long pid, String command) {
        String tool = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        try {
            Process process = new ProcessBuilder(tool, Long.toString(pid), command)
                    .redirectErrorStream(true)
                    .start();
            try (var out = process.inputReader(StandardCharsets.UTF_8)) {
                return out.lines().toList();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return "%.1f MB of live heap, %d open files".formatted(heapBytes / 1e6, openFiles);
    }
}
