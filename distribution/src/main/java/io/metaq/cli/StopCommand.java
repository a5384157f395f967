package io.metaq.cli;

import io.metaq.broker.config.BrokerConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "stop",
        description =
                "Stops the broker of a data directory gracefully: it finishes what it took, and takes nothing new.",
        mixinStandardHelpOptions = true)
final class StopCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private BrokerOptions options = new BrokerOptions();

    @Option(names = "--timeout", paramLabel = "SECONDS", description = "How long to wait for its end. Default: 60.")
    private int timeoutSeconds = 60;

    StopCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        BrokerConfig config = options.load();
        Optional<RunningBroker> broker = RunningBroker.find(config.dataPath());
        Optional<ProcessHandle> process = broker.flatMap(RunningBroker::process);
        if (process.isEmpty()) {
            throw new CommandFailedException("no broker is running on " + config.dataPath(), ExitCode.NOT_RUNNING);
        }
        if (!process.get().destroy()) {
            throw new CommandFailedException(
                    "no permission to stop process " + process.get().pid());
        }
        await(process.get());
        terminal.print(
                "stopped the broker on %s (pid %d)",
                config.dataPath(), process.get().pid());
        return ExitCode.OK;
    }

    private void await(ProcessHandle process) throws InterruptedException {
        try {
            process.onExit().get(Duration.ofSeconds(timeoutSeconds).toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new CommandFailedException(
                    "process " + process.pid() + " was asked to stop and is still busy after " + timeoutSeconds
                            + " s; it ends by itself when it is done",
                    e);
        } catch (ExecutionException e) {
            throw new CommandFailedException("cannot wait for process " + process.pid() + ": " + e.getCause(), e);
        }
    }
}
