package io.metaq.cli;

import io.metaq.client.MetaqException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** One line on the error output for whatever went wrong; a stack trace only for what nobody foresaw. */
final class FailureReport implements CommandLine.IExecutionExceptionHandler, CommandLine.IParameterExceptionHandler {
    private final Terminal terminal;

    FailureReport(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public int handleExecutionException(
            Exception failure, CommandLine command, CommandLine.@Nullable ParseResult parsed) {
        if (failure instanceof CommandFailedException expected) {
            terminal.tell("metaq: %s", message(expected));
            return expected.exitCode();
        }
        if (failure instanceof MetaqException) {
            terminal.tell("metaq: %s", message(failure));
            return ExitCode.FAILED;
        }
        if (failure instanceof IOException || failure instanceof UncheckedIOException) {
            terminal.tell("metaq: %s", FileProblem.describe(failure));
            return ExitCode.FAILED;
        }
        if (failure instanceof IllegalArgumentException && isFromTheClient(failure)) {
            terminal.tell("metaq: %s", message(failure)); // a name that no topic or group can have
            return ExitCode.USAGE;
        }
        terminal.tell("metaq: a fault of MetaQ itself: %s; please report it with the lines below", failure);
        failure.printStackTrace(terminal.err());
        return ExitCode.FAILED;
    }

    @Override
    public int handleParseException(CommandLine.ParameterException failure, String[] arguments) {
        CommandLine command = failure.getCommandLine();
        terminal.tell("metaq: %s", firstLine(failure));
        CommandLine.UnmatchedArgumentException.printSuggestions(failure, command.getErr());
        terminal.tell("see: %s --help", command.getCommandSpec().qualifiedName());
        return ExitCode.USAGE;
    }

    private static boolean isFromTheClient(Exception failure) {
        StackTraceElement[] trace = failure.getStackTrace();
        return trace.length > 0 && trace[0].getClassName().startsWith("io.metaq.client.");
    }

    private static String message(Exception failure) {
        return Objects.requireNonNullElseGet(failure.getMessage(), failure::toString);
    }

    private static String firstLine(Exception failure) {
        return String.valueOf(failure.getMessage()).lines().findFirst().orElse("wrong arguments");
    }
}
