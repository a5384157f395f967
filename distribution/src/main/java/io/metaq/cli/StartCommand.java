package io.metaq.cli;

import io.metaq.broker.Broker;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.config.BrokerConfigBuilder;
import io.metaq.broker.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "start",
        description =
                "Runs a broker in the foreground until it is asked to stop (Ctrl-C, metaq stop); with -d in the background.",
        mixinStandardHelpOptions = true)
final class StartCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(StartCommand.class);

    private final Terminal terminal;

    @Mixin
    private BrokerOptions options = new BrokerOptions();

    @Option(
            names = {"-l", "--local"},
            description = "With a ZooKeeper of its own inside, which needs nothing else.")
    private boolean local;

    @Option(
            names = {"-d", "--detach"},
            description = "Returns when the broker serves, and leaves it running.")
    private boolean detach;

    @Option(
            names = "--port",
            paramLabel = "N",
            description =
                    "Instead of the file's serverPort; 0 takes any free port. HTTP, if the file has an adminPort, then takes"
                            + " any free one too, unless --admin-port says which.")
    private @Nullable Integer port;

    @Option(
            names = "--admin-port",
            paramLabel = "N",
            description =
                    "Instead of the file's adminPort: where HTTP is served; 0 takes any free port, -1 serves none.")
    private @Nullable Integer adminPort;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "With -d: how long the start may take. Default: 120.")
    private int timeoutSeconds = 120;

    StartCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        BrokerConfig config = config();
        Optional<RunningBroker> other = RunningBroker.find(config.dataPath());
        if (other.isPresent()) {
            throw new CommandFailedException("a broker is running on " + config.dataPath() + " already: pid "
                    + other.get().pid() + ", address " + other.get().address() + "; stop it by: metaq stop");
        }
        return detach ? background(config) : foreground(config);
    }

    private BrokerConfig config() throws IOException {
        BrokerConfigBuilder builder = options.builder();
        if (port != null) {
            builder.serverPort(port);
        }
        if (adminPort != null) {
            builder.set(Settings.ADMIN_PORT, adminPort);
        } else if (port != null) {
            // A second broker by the same file: two cannot have one port.
            builder.anyAdminPort();
        }
        if (local) {
            builder.zookeeper(Settings.ZK_ENABLE, true).zookeeper(Settings.ZK_EMBEDDED, true);
        }
        return BrokerOptions.build(builder);
    }

    private int background(BrokerConfig config) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(options.arguments());
        if (port != null) {
            arguments.addAll(List.of("--port", port.toString()));
        }
        if (adminPort != null) {
            arguments.addAll(List.of("--admin-port", adminPort.toString()));
        }
        if (local) {
            arguments.add("--local");
        }
        RunningBroker broker =
                BrokerProcess.start(config.dataPath(), arguments, true).awaitReady(Duration.ofSeconds(timeoutSeconds));
        terminal.print("running: pid %d, %s, data in %s", broker.pid(), broker.addresses(), config.dataPath());
        return ExitCode.OK;
    }

    private int foreground(BrokerConfig config) throws IOException {
        config.warnings().forEach(warning -> LOG.warn("{}", warning));
        Files.createDirectories(config.dataPath());
        Broker broker = Broker.start(config);
        RunningBroker self =
                RunningBroker.self(local(config.bindAddress()) + ":" + broker.port(), admin(config, broker));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(broker, self, config.dataPath()), "metaq-stop"));
        self.announce(config.dataPath());
        terminal.print("MetaQ %s serves at %s, data in %s", Version.text(), self.address(), config.dataPath());
        if (!self.admin().isEmpty()) {
            terminal.print("HTTP at %s", self.admin());
        }
        if (!broker.zooKeeperConnect().isEmpty()) {
            terminal.print("found through ZooKeeper at %s", broker.zooKeeperConnect());
        }
        terminal.out().flush();
        try {
            broker.stopped().toCompletableFuture().join();
            return ExitCode.OK;
        } catch (CompletionException e) {
            throw new CommandFailedException("the broker had to stop: " + e.getCause(), e);
        }
    }

    private static String admin(BrokerConfig config, Broker broker) {
        if (broker.adminPort() < 0) {
            return "";
        }
        return (config.admin().tls() ? "https://" : "http://")
                + local(config.admin().host()) + ":" + broker.adminPort();
    }

    /** Where clients on this machine reach a broker that listens on all addresses. */
    private static String local(String bound) {
        return bound.equals("0.0.0.0") || bound.equals("::") ? "127.0.0.1" : bound;
    }

    private static void stop(Broker broker, RunningBroker self, Path dataPath) {
        broker.close();
        try {
            if (RunningBroker.find(dataPath).filter(self::equals).isPresent()) {
                Files.deleteIfExists(RunningBroker.fileIn(dataPath));
            }
        } catch (IOException e) {
            LOG.warn("cannot remove {}", RunningBroker.fileIn(dataPath), e);
        }
    }
}
