package io.metaq.cli;

import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqClientBuilder;
import io.metaq.client.UnauthorizedException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How every command that talks to brokers finds them. */
final class ConnectOptions {
    static final String DEFAULT_SERVER = "127.0.0.1:8123";

    @Option(
            names = {"-s", "--server"},
            paramLabel = "HOST:PORT",
            description = "Brokers, separated by commas. Default: the environment's METAQ_SERVER, else "
                    + DEFAULT_SERVER + ".")
    private @Nullable String server;

    @Option(
            names = {"-z", "--zookeeper"},
            paramLabel = "HOST:PORT",
            description = "Finds all brokers through this ZooKeeper instead.")
    private @Nullable String zookeeper;

    @Option(names = "--zookeeper-root", paramLabel = "PATH", description = "Default: /meta.")
    private String zookeeperRoot = "/meta";

    @Mixin
    private LoginOptions login = new LoginOptions();

    /**
     * A client of these brokers, one of which answers.
     *
     * @throws CommandFailedException if none does
     */
    MetaqClient connect() {
        MetaqClient client = builder().build();
        try {
            if (client.brokers().isEmpty()) {
                throw new CommandFailedException(
                        zookeeper != null
                                ? "no broker is registered in the ZooKeeper at " + zookeeper
                                : "no broker answers at " + servers()
                                        + "; start one by: metaq start, or name another by --server HOST:PORT");
            }
            return client;
        } catch (UnauthorizedException e) {
            client.close();
            throw new CommandFailedException(e.getMessage() + "; log in by --user NAME --password-file FILE", e);
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
    }

    private MetaqClientBuilder builder() {
        MetaqClientBuilder builder = MetaqClient.builder().name("metaq-cli");
        login.apply(builder);
        if (zookeeper != null) {
            return builder.zookeeper(zookeeper, zookeeperRoot);
        }
        try {
            return builder.servers(servers());
        } catch (IllegalArgumentException e) {
            throw new CommandFailedException(String.valueOf(e.getMessage()), ExitCode.USAGE);
        }
    }

    private String servers() {
        String servers = server != null ? server : System.getenv("METAQ_SERVER");
        return Objects.requireNonNullElse(servers, DEFAULT_SERVER);
    }
}
