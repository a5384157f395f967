package io.metaq.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command {@code metaq}: hands over to one of its subcommands, and turns what goes wrong into one line and an exit code. */
@Command(
        name = "metaq",
        description = "A message broker: one command to run it, fill it, read it and look after it.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        subcommands = {
            StartCommand.class,
            StopCommand.class,
            StatusCommand.class,
            DemoCommand.class,
            StatsCommand.class,
            TopicCommand.class,
            QueueCommand.class,
            SubscriptionCommand.class,
            TxCommand.class,
            WhyCommand.class,
            ProduceCommand.class,
            ConsumeCommand.class,
            BrowseCommand.class,
            GroupCommand.class,
            UserCommand.class,
            ConfigCommand.class,
            LogCommand.class,
            VersionCommand.class,
            CommandLine.HelpCommand.class
        })
public final class Metaq implements Callable<Integer> {
    private final Terminal terminal;

    Metaq(Terminal terminal) {
        this.terminal = terminal;
    }

    public static void main(String[] arguments) {
        System.exit(run(Terminal.ofProcess(), arguments));
    }

    /** Runs one command in this process and returns its exit code. */
    public static int run(Terminal terminal, String... arguments) {
        int exitCode = commandLine(terminal).execute(arguments);
        terminal.out().flush();
        terminal.err().flush();
        return exitCode;
    }

    static CommandLine commandLine(Terminal terminal) {
        return new CommandLine(new Metaq(terminal), new CommandFactory(terminal))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setOut(new PrintWriter(terminal.out(), true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(terminal.err(), true, StandardCharsets.UTF_8))
                .setParameterExceptionHandler(new FailureReport(terminal))
                .setExecutionExceptionHandler(new FailureReport(terminal));
    }

    /** Without a command: the usage. */
    @Override
    public Integer call() {
        commandLine(terminal).usage(terminal.err());
        return ExitCode.USAGE;
    }
}
