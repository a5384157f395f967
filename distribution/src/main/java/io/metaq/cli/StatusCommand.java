package io.metaq.cli;

import io.metaq.broker.config.BrokerConfig;
import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqException;
import io.metaq.client.UnauthorizedException;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "status",
        description =
                "Says whether the broker of a data directory is running and answers. Exit code 3: it is not running.",
        mixinStandardHelpOptions = true)
final class StatusCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private BrokerOptions options = new BrokerOptions();

    StatusCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        BrokerConfig config = options.load();
        Optional<RunningBroker> broker = RunningBroker.find(config.dataPath());
        if (broker.isEmpty()) {
            terminal.print("no broker is running on %s", config.dataPath());
            return ExitCode.NOT_RUNNING;
        }
        terminal.print(
                "running: pid %d, %s, data in %s",
                broker.get().pid(), broker.get().addresses(), config.dataPath());
        return answers(broker.get()) ? ExitCode.OK : ExitCode.FAILED;
    }

    private boolean answers(RunningBroker broker) {
        try (MetaqClient client =
                MetaqClient.builder().servers(broker.address()).build()) {
            Map<String, String> stats =
                    client.stats("").values().stream().findFirst().orElse(Map.of());
            if (stats.isEmpty()) {
                terminal.tell("metaq: the process is alive but does not answer; see its log");
                return false;
            }
            stats.forEach((key, value) -> terminal.print("%s %s", key, value));
            return true;
        } catch (UnauthorizedException e) {
            terminal.print("it answers, and gives its figures to its users only");
            return true;
        } catch (MetaqException e) {
            terminal.tell("metaq: the process is alive but does not answer: %s", String.valueOf(e.getMessage()));
            return false;
        }
    }
}
