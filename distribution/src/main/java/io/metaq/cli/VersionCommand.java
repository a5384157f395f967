package io.metaq.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(name = "version", description = "Prints the version of this program and of the Java it runs on.")
final class VersionCommand implements Callable<Integer> {
    private final Terminal terminal;

    VersionCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        terminal.print("MetaQ %s, Java %s", Version.text(), Runtime.version());
        return ExitCode.OK;
    }
}
