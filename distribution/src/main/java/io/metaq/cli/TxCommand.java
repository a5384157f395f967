package io.metaq.cli;

import io.metaq.client.MetaqClient;
import io.metaq.client.TransactionAdmin;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "tx",
        description = "Lists and shows transactions, and decides about those whose coordinator does not come back.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true)
final class TxCommand implements Callable<Integer> {
    private static final String KEY =
            "As list shows it: XID:... for a branch of a global transaction, TX:... for a local one.";

    private final Terminal terminal;

    @Spec
    private @Nullable CommandSpec spec;

    TxCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        throw new CommandLine.ParameterException(
                Objects.requireNonNull(spec).commandLine(), "give one of: list, show, commit, rollback, forget");
    }

    private int admin(ConnectOptions connection, Consumer<TransactionAdmin> work) {
        try (MetaqClient client = connection.connect()) {
            work.accept(client.admin().transactions());
        }
        return ExitCode.OK;
    }

    @Command(
            description =
                    "Lists transactions, the oldest first: how far each is, what it holds (messages sent and received in it), whose it is.",
            mixinStandardHelpOptions = true)
    int list(
            @Mixin ConnectOptions connection,
            @Parameters(
                            arity = "0..1",
                            paramLabel = "PATTERN",
                            defaultValue = "*",
                            description = "Such as XID:*; default all.")
                    String pattern,
            @Option(names = "--prepared", description = "Only those that wait for their coordinator.")
                    boolean prepared) {
        return admin(connection, transactions -> {
            terminal.print(
                    "%-25s %10s %9s %12s %9s %-40s %s",
                    "PHASE", "AGE", "SENT", "BYTES", "RECEIVED", "OWNER", "TRANSACTION");
            transactions.list(pattern).stream()
                    .filter(one -> !prepared || one.phase().equals("prepared"))
                    .forEach(one -> terminal.print(
                            "%-25s %9ds %9d %12d %9d %-40s %s",
                            one.phase(),
                            one.ageSeconds(),
                            one.messages(),
                            one.bytes(),
                            one.acknowledged(),
                            one.owner(),
                            one.key()));
        });
    }

    @Command(
            description = "Shows how a transaction stands, whose it is, and what it holds where.",
            mixinStandardHelpOptions = true)
    int show(@Mixin ConnectOptions connection, @Parameters(paramLabel = "KEY", description = KEY) String key) {
        return admin(
                connection,
                transactions -> transactions.show(key).forEach((server, lines) -> {
                    terminal.print("transaction %s on %s", key, server);
                    lines.forEach(line -> terminal.print("  %s", line));
                }));
    }

    @Command(
            description = "Commits what is prepared, in its coordinator's place.",
            footer = "If the coordinator comes back and has decided otherwise, the transaction is torn: it is told so.",
            mixinStandardHelpOptions = true)
    int commit(
            @Mixin ConnectOptions connection,
            @Parameters(paramLabel = "KEY", description = KEY) String key,
            @Option(
                            names = {"-y", "--yes"},
                            description = "Does it; without this nothing is decided.")
                    boolean yes) {
        return admin(connection, transactions -> {
            refuseUnlessSure(transactions, key, "commit", yes);
            transactions.commit(key);
            terminal.print("committed %s", key);
        });
    }

    @Command(
            description = "Rolls back what is prepared, in its coordinator's place, or ends what is not.",
            footer = "If the coordinator comes back and has decided otherwise, the transaction is torn: it is told so.",
            mixinStandardHelpOptions = true)
    int rollback(
            @Mixin ConnectOptions connection,
            @Parameters(paramLabel = "KEY", description = KEY) String key,
            @Option(
                            names = {"-y", "--yes"},
                            description = "Does it; without this nothing is decided.")
                    boolean yes) {
        return admin(connection, transactions -> {
            refuseUnlessSure(transactions, key, "roll back", yes);
            transactions.rollback(key);
            terminal.print("rolled back %s", key);
        });
    }

    private static void refuseUnlessSure(TransactionAdmin transactions, String key, String what, boolean yes) {
        if (!yes) {
            transactions.show(key);
            throw new CommandFailedException("this would " + what + " " + key
                    + " whatever its coordinator decided, or will decide; add --yes to do it");
        }
    }

    @Command(
            description = "Forgets what was decided by commit or rollback, for a coordinator that will not ask.",
            mixinStandardHelpOptions = true)
    int forget(@Mixin ConnectOptions connection, @Parameters(paramLabel = "KEY", description = KEY) String key) {
        return admin(connection, transactions -> {
            transactions.forget(key);
            terminal.print("forgot %s", key);
        });
    }
}
