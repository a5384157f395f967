package io.metaq.cli;

import io.metaq.broker.security.UsersFile;
import java.io.Console;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "user",
        description = "Adds, removes and lists those who may log in to a broker of this machine.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true)
final class UserCommand implements Callable<Integer> {
    private static final int MAX_LINE_BYTES = 64 * 1024;

    private final Terminal terminal;

    @Spec
    private @Nullable CommandSpec spec;

    UserCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        throw new CommandLine.ParameterException(
                Objects.requireNonNull(spec).commandLine(), "give one of: add, remove, list");
    }

    @Command(
            description = {
                "Adds a user, or gives one a new password. A running broker knows it at once.",
                "The password is asked for, or is the first line of the input. Only its hash is kept."
            },
            mixinStandardHelpOptions = true)
    int add(
            @Mixin BrokerOptions options,
            @Parameters(paramLabel = "NAME") String name,
            @Option(
                            names = "--password",
                            paramLabel = "PASSWORD",
                            description =
                                    "Instead of the input; other users of this machine may see it while the command runs.")
                    @Nullable
                    String password)
            throws IOException {
        UsersFile file = file(options);
        char[] given = password == null ? passwordFromInput(name) : password.toCharArray();
        try {
            boolean added = file.put(name, given);
            terminal.print(added ? "added user %s" : "changed the password of user %s", name);
            return ExitCode.OK;
        } catch (IllegalArgumentException e) {
            throw new CommandFailedException(String.valueOf(e.getMessage()), ExitCode.USAGE);
        } finally {
            Arrays.fill(given, ' ');
        }
    }

    @Command(
            description = "Removes a user. Connections that have logged in go on until they are closed.",
            mixinStandardHelpOptions = true)
    int remove(@Mixin BrokerOptions options, @Parameters(paramLabel = "NAME") String name) throws IOException {
        UsersFile file = file(options);
        if (!file.remove(name)) {
            throw new CommandFailedException("there is no user " + name + " in " + file.path());
        }
        terminal.print("removed user %s", name);
        return ExitCode.OK;
    }

    @Command(description = "Lists the names of the users.", mixinStandardHelpOptions = true)
    int list(@Mixin BrokerOptions options) throws IOException {
        file(options).names().forEach(name -> terminal.print("%s", name));
        return ExitCode.OK;
    }

    private static UsersFile file(BrokerOptions options) throws IOException {
        return new UsersFile(options.load().usersFile());
    }

    private char[] passwordFromInput(String name) throws IOException {
        Console console = System.console();
        if (terminal.in() == System.in && console != null) {
            char[] first = console.readPassword("password of %s: ", name);
            char[] second = console.readPassword("again: ");
            if (first == null || !Arrays.equals(first, second)) {
                throw new CommandFailedException("the two passwords differ; nothing was changed");
            }
            return first;
        }
        byte[] line = new LineReader(terminal.in(), MAX_LINE_BYTES).next();
        if (line == null) {
            throw new CommandFailedException(
                    "no password was given; give it as the first line of the input, or by --password", ExitCode.USAGE);
        }
        // Of a file with the line ends of Windows.
        String text = new String(line, StandardCharsets.UTF_8);
        return (text.endsWith("\r") ? text.substring(0, text.length() - 1) : text).toCharArray();
    }
}
