package io.metaq.cli;

import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.config.BrokerConfigBuilder;
import io.metaq.broker.config.ConfigException;
import io.metaq.broker.config.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which broker of this machine a command is about: its configuration file, and what the command line changes of it. */
final class BrokerOptions {
    @Option(
            names = {"-f", "--config"},
            paramLabel = "FILE",
            description = "Configuration file. " + ConfigFile.DESCRIPTION)
    private @Nullable Path file;

    @Option(names = "--data-path", paramLabel = "DIR", description = "Instead of the file's dataPath.")
    private @Nullable Path dataPath;

    /** @throws CommandFailedException with a line for every mistake of the file */
    BrokerConfigBuilder builder() throws IOException {
        BrokerConfigBuilder builder = BrokerConfigBuilder.from(ConfigFile.orDefault(file));
        return dataPath == null ? builder : builder.set(Settings.DATA_PATH, dataPath.toString());
    }

    BrokerConfig load() throws IOException {
        return build(builder());
    }

    /** The same options for another process. */
    List<String> arguments() {
        List<String> arguments = new ArrayList<>(
                List.of("--config", ConfigFile.orDefault(file).toAbsolutePath().toString()));
        if (dataPath != null) {
            arguments.addAll(List.of("--data-path", dataPath.toAbsolutePath().toString()));
        }
        return arguments;
    }

    static BrokerConfig build(BrokerConfigBuilder builder) {
        try {
            return builder.build();
        } catch (ConfigException e) {
            throw new CommandFailedException(String.valueOf(e.getMessage()), e);
        }
    }
}
