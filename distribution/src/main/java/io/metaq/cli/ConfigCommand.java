package io.metaq.cli;

import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.config.ConfigException;
import io.metaq.broker.config.ConfigProblem;
import io.metaq.broker.config.Setting;
import io.metaq.broker.config.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "config",
        description = "Checks a configuration file, or shows what is in force with it.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true)
final class ConfigCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Spec
    private @Nullable CommandSpec spec;

    ConfigCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        throw new CommandLine.ParameterException(
                Objects.requireNonNull(spec).commandLine(), "give one of: check, show");
    }

    @Command(
            description = "Reads a configuration file as the broker would, and prints one line for every mistake.",
            mixinStandardHelpOptions = true)
    int check(
            @Parameters(arity = "0..1", paramLabel = "FILE", description = ConfigFile.DESCRIPTION) @Nullable Path file)
            throws IOException {
        Path checked = ConfigFile.orDefault(file);
        List<ConfigProblem> problems = BrokerConfig.check(checked);
        problems.forEach(problem -> terminal.print("%s%s", problem.fatal() ? "" : "warning: ", problem));
        boolean wrong = problems.stream().anyMatch(ConfigProblem::fatal);
        if (!wrong) {
            terminal.print("%s: a broker starts with it", checked);
        }
        return wrong ? ExitCode.FAILED : ExitCode.OK;
    }

    @Command(description = "Prints every key with the value in force.", mixinStandardHelpOptions = true)
    int show(
            @Parameters(arity = "0..1", paramLabel = "FILE", description = ConfigFile.DESCRIPTION) @Nullable Path file,
            @Option(names = "--describe", description = "With what each key means and what it expects.")
                    boolean describe)
            throws IOException {
        BrokerConfig config;
        try {
            config = BrokerConfig.load(ConfigFile.orDefault(file));
        } catch (ConfigException e) {
            throw new CommandFailedException(String.valueOf(e.getMessage()), e);
        }
        show("system", Settings.system(), config::get, describe);
        show("zookeeper", Settings.zookeeper(), config.zookeeper()::get, describe);
        config.declaredTopics().forEach(topic -> show("topic=" + topic.name(), Settings.topic(), topic::get, false));
        return ExitCode.OK;
    }

    private void show(String section, List<Setting<?>> settings, Function<Setting<?>, Object> value, boolean describe) {
        terminal.print("[%s]", section);
        for (Setting<?> setting : settings) {
            if (describe) {
                terminal.print("# %s", setting.description());
                terminal.print("# Give %s. Default: %s", setting.expects(), setting.defaultValue());
            }
            Object shown = value.apply(setting);
            terminal.print("%s=%s", setting.name(), setting.secret() && !shown.equals("") ? "***" : shown);
        }
        terminal.print("");
    }
}
