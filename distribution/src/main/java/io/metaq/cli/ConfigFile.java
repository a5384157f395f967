package io.metaq.cli;

import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The configuration file that is used where the command line names none. */
final class ConfigFile {
    static final String DESCRIPTION = "Default: conf/server.ini of this installation.";

    private ConfigFile() {}

    static Path orDefault(@Nullable Path file) {
        return Objects.requireNonNullElseGet(file, () -> home().resolve("conf").resolve("server.ini"));
    }

    /** Where MetaQ is installed; bin/metaq says so. */
    static Path home() {
        String home = System.getProperty("metaq.home");
        if (home == null) {
            throw new CommandFailedException(
                    "where MetaQ is installed is not known; start it by bin/metaq, or name a file");
        }
        return Path.of(home);
    }
}
