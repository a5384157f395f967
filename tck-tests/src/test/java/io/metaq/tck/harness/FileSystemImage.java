package io.metaq.tck.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** A file system in a file, mounted: it can be small, and its power can be cut. Needs root and the tools. */
public final class FileSystemImage implements AutoCloseable {
    private final Path image;
    private final Path mountPoint;
    private boolean mounted;

    private FileSystemImage(Path image, Path mountPoint) {
        this.image = image;
        this.mountPoint = mountPoint;
    }

    /** Skips the test, with the reason, where file systems cannot be made and mounted. */
    public static void assumePossible(String... tools) {
        Assumptions.assumeTrue("root".equals(System.getProperty("user.name")), "needs root, to mount file systems");
        Assumptions.assumeTrue(Files.exists(Path.of("/dev/loop-control")), "needs loop devices");
        assumeInstalled(tools);
    }

    /** Skips the test, with the reason, where a program is missing. */
    public static void assumeInstalled(String... tools) {
        for (String tool : tools) {
            Assumptions.assumeTrue(isInstalled(tool), "needs the program " + tool);
        }
    }

    private static boolean isInstalled(String tool) {
        return Stream.of("/usr/sbin", "/sbin", "/usr/bin", "/bin")
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, tool)));
    }

    /** Makes and mounts one; {@code type} is {@code ext4} or {@code xfs}. */
    public static FileSystemImage create(Path directory, String type, long bytes) {
        try {
            Path image = directory.resolve(type + ".img");
            Path mountPoint = Files.createDirectories(directory.resolve("mnt-" + type));
            run("truncate", "-s", Long.toString(bytes), image.toString());
            run("mkfs." + type, "-q", type.equals("ext4") ? "-F" : "-f", image.toString());
            var created = new FileSystemImage(image, mountPoint);
            created.mount();
            return created;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Path path() {
        return mountPoint;
    }

    public void mount() {
        run("mount", "-o", "loop", image.toString(), mountPoint.toString());
        mounted = true;
    }

    /** Everything not synced is gone, and every later operation fails until it is mounted again. */
    public void cutPower() {
        run("xfs_io", "-x", "-c", "shutdown", mountPoint.toString());
    }

    public void unmount() {
        run("umount", mountPoint.toString());
        mounted = false;
    }

    private static void run(String... command) {
        List<String> output = new ArrayList<>();
        try {
            var process = new ProcessBuilder(command).redirectErrorStream(true).start();
            try (var out = process.inputReader()) {
                out.lines().forEach(output::add);
            }
            if (process.waitFor() != 0) {
                throw new IllegalStateException("%s: %s".formatted(String.join(" ", command), output));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        if (mounted) {
            unmount();
        }
    }
}
