package io.metaq.tck.harness;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** Where the originals' class path is, which conflicts with ours. */
final class Metaq14 {
    private Metaq14() {}

    /** The drivers and everything that MetaQ 1.4.6.2 ran with. */
    static String classPath() {
        try (var list = Metaq14.class.getResourceAsStream("/metaq14.classpath")) {
            var jars = new String(Objects.requireNonNull(list).readAllBytes(), StandardCharsets.UTF_8).trim();
            var drivers = Objects.requireNonNull(Metaq14.class.getResource("/metaq14.classpath"));
            return place(drivers) + File.pathSeparator + jars;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The originals keep files in the home directory: they get one under {@code target}. */
    static Path home() {
        try {
            return Files.createDirectories(Path.of("target", "tck", "home")).toAbsolutePath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The folder, or in a build that packages the jar, that holds the drivers. */
    private static Path place(java.net.URL resource) {
        try {
            if (resource.getProtocol().equals("jar")) {
                String file = resource.getPath();
                return Path.of(java.net.URI.create(file.substring(0, file.indexOf('!'))));
            }
            return Path.of(resource.toURI()).getParent();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
