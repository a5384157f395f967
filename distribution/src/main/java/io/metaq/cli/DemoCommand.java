package io.metaq.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "demo",
        description = {
            "Streams files through a broker, kills it by kill -9 in the middle, starts it again, and compares what comes back.",
            "The broker runs on loopback with everything inside it and data of its own, all of which is gone afterwards.",
            "Exit code 0: every file came back byte for byte."
        },
        mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(
            arity = "0..*",
            paramLabel = "PATH",
            description =
                    "Files and folders to stream, every line a message. Default: the text files of this repository.")
    private List<Path> paths = List.of();

    @Option(
            names = {"-n", "--partitions"},
            paramLabel = "N",
            description = "Partitions of the topic. Default: 4.")
    private int partitions = 4;

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = "Where the broker's data is put. Default: the system's place for temporary files.")
    private @Nullable Path directory;

    @Option(names = "--keep", description = "Leaves the broker's data and logs, and says where they are.")
    private boolean keep;

    DemoCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<DemoFile> files = paths.isEmpty() ? DemoFiles.textFiles(root()) : DemoFiles.of(paths);
        if (files.isEmpty()) {
            throw new CommandFailedException("there is nothing to stream; name files or folders that have some");
        }
        long payload = 0;
        for (DemoFile file : files) {
            payload += Files.size(file.path());
        }
        try (DemoBroker broker = DemoBroker.create(directory, keep, payload)) {
            return new Demo(terminal, broker, files, partitions).run() ? ExitCode.OK : ExitCode.FAILED;
        }
    }

    /** The clone that ./metaq runs in, else the installation. */
    private static Path root() {
        String clone = System.getenv("METAQ_ROOT");
        return clone == null ? ConfigFile.home() : Path.of(clone);
    }
}
