package io.metaq.benchmarks.metaq;

import io.metaq.broker.Broker;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.config.Settings;
import java.nio.file.Path;

/** A broker with its defaults, on loopback. Arguments: a directory, a port. */
final class MetaqServer {

    private MetaqServer() {}

    public static void main(String[] args) throws Exception {
        BrokerConfig config = BrokerConfig.builder()
                .dataPath(Path.of(args[0], "data"))
                .serverPort(Integer.parseInt(args[1]))
                .set(Settings.AUTO_CREATE_TOPICS, false)
                .build();
        Broker broker = Broker.start(config);
        Runtime.getRuntime().addShutdownHook(new Thread(broker::close, "stop"));
        broker.stopped().toCompletableFuture().join();
    }
}
