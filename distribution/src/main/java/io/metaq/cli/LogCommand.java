package io.metaq.cli;

import io.metaq.broker.config.BrokerConfig;
import io.metaq.log.file.DirectoryLock;
import io.metaq.log.file.Storage;
import io.metaq.log.tool.Finding;
import io.metaq.log.tool.LogDump;
import io.metaq.log.tool.LogSalvage;
import io.metaq.log.tool.LogVerify;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "log",
        description = "Verifies, shows and salvages the files of a broker that is down.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true)
final class LogCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Spec
    private @Nullable CommandSpec spec;

    LogCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        throw new CommandLine.ParameterException(
                Objects.requireNonNull(spec).commandLine(), "give one of: verify, dump, salvage");
    }

    @Command(
            description = {
                "Reads the journal and every message, and prints one line for each damaged range.",
                "Changes nothing. Exit code 1: something is damaged."
            },
            mixinStandardHelpOptions = true)
    int verify(@Mixin BrokerOptions options) throws IOException {
        BrokerConfig config = options.load();
        try (DirectoryLock lock = lock(config)) {
            int findings = 0;
            for (Path root : roots(config)) {
                findings += verify(root);
            }
            return findings == 0 ? ExitCode.OK : ExitCode.FAILED;
        }
    }

    private int verify(Path root) throws IOException {
        LogVerify.Report report = LogVerify.verify(root, Storage.disk());
        report.findings().forEach(finding -> terminal.print("damaged: %s", finding));
        report.notes().forEach(note -> terminal.print("repaired by the next start: %s", note));
        terminal.print(
                "%s: %d journal records and %d partitions read, %d damaged ranges",
                root, report.records(), report.partitions(), report.findings().size());
        return report.findings().size();
    }

    @Command(
            description =
                    "Prints the records of a journal directory, or the messages of a file of a partition log, a line for each.",
            mixinStandardHelpOptions = true)
    int dump(
            @Mixin BrokerOptions options,
            @Parameters(
                            arity = "0..1",
                            paramLabel = "PATH",
                            description = "Default: the journal of the data directory.")
                    @Nullable
                    Path path)
            throws IOException {
        Path shown = path == null ? options.load().journalPath() : path;
        if (!Files.exists(shown)) {
            throw new CommandFailedException("there is no file or directory " + shown);
        }
        List<Finding> findings = Files.isDirectory(shown)
                ? LogDump.journal(shown, Storage.disk(), line -> terminal.print("%s", line))
                : LogDump.segment(shown, Storage.disk(), line -> terminal.print("%s", line));
        findings.forEach(finding -> terminal.print("damaged: %s", finding));
        return findings.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }

    @Command(
            description = {
                "Copies every damaged range to the attic and takes it out of service, so that a broker starts with the rest.",
                "Prints what is lost by it. Deletes nothing."
            },
            mixinStandardHelpOptions = true)
    int salvage(@Mixin BrokerOptions options) throws IOException {
        BrokerConfig config = options.load();
        try (DirectoryLock lock = lock(config)) {
            for (Path root : roots(config)) {
                salvage(root);
            }
            return ExitCode.OK;
        }
    }

    private void salvage(Path root) throws IOException {
        LogSalvage.Report report = LogSalvage.salvage(root, Storage.disk());
        report.lost().forEach(finding -> terminal.print("lost: %s", finding));
        report.copies().forEach(copy -> terminal.print("copied to: %s", copy));
        terminal.print(
                "%s: %d damaged ranges taken out of service",
                root, report.lost().size());
    }

    /** The data directory, and the place of the journal where the configuration gives it one of its own. */
    private static Set<Path> roots(BrokerConfig config) {
        Set<Path> roots = new LinkedHashSet<>(List.of(config.dataPath()));
        roots.add(Objects.requireNonNull(config.journalPath().getParent()));
        return roots;
    }

    private static DirectoryLock lock(BrokerConfig config) throws IOException {
        if (!Files.isDirectory(config.dataPath())) {
            throw new CommandFailedException("there is no data directory " + config.dataPath());
        }
        if (RunningBroker.find(config.dataPath()).isPresent()) {
            throw new CommandFailedException(
                    "a broker is running on " + config.dataPath() + "; stop it first, by: metaq stop");
        }
        return DirectoryLock.acquire(config.dataPath());
    }
}
