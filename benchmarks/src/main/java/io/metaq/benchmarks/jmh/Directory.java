package io.metaq.benchmarks.jmh;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A directory for the files of one trial. Under the working directory, since the system's temporary directory is often
 * memory.
 */
final class Directory {

    private @Nullable Path path;

    Path create() throws IOException {
        Path parent = Files.createDirectories(Path.of("benchmarks", "target").toAbsolutePath());
        Path made = Files.createTempDirectory(parent, "jmh-");
        path = made;
        return made;
    }

    void delete() throws IOException {
        Path root = path;
        if (root == null) {
            return;
        }
        List<Path> deepestFirst;
        try (Stream<Path> files = Files.walk(root)) {
            deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : deepestFirst) {
            Files.delete(file);
        }
    }
}
