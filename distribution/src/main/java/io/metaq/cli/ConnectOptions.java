package io.metaq.cli;

import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqClientBuilder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
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

    MetaqClient connect() {
        MetaqClientBuilder builder = MetaqClient.builder().name("metaq-cli");
        if (zookeeper != null) {
            return builder.zookeeper(zookeeper, zookeeperRoot).build();
        }
        String servers = server != null ? server : System.getenv("METAQ_SERVER");
        try {
            builder.servers(Objects.requireNonNullElse(servers, DEFAULT_SERVER));
        } catch (IllegalArgumentException e) {
            throw new CommandFailedException(String.valueOf(e.getMessage()), ExitCode.USAGE);
        }
        return builder.build();
    }
}
