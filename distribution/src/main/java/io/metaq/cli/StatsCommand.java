package io.metaq.cli;

import io.metaq.client.BrokerAddress;
import io.metaq.client.MetaqClient;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(name = "stats", description = "Prints the statistics of the brokers.", mixinStandardHelpOptions = true)
final class StatsCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private ConnectOptions connection = new ConnectOptions();

    @Parameters(
            arity = "0..1",
            paramLabel = "ITEM",
            description =
                    "topics, offsets, realtime, help, reset, or the name of a topic; without it the broker as a whole.")
    private String item = "";

    StatsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        try (MetaqClient client = connection.connect()) {
            Map<BrokerAddress, Map<String, String>> answers = client.stats(item);
            answers.forEach((server, lines) -> {
                if (answers.size() > 1) {
                    terminal.print("%s", server);
                }
                lines.forEach((key, value) -> terminal.print("%s %s", key, value));
            });
        }
        return ExitCode.OK;
    }
}
