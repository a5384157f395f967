package io.metaq.tck.harness;

import io.metaq.broker.Broker;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.config.ConfigException;
import java.nio.file.Path;

/** A broker and nothing else. Argument: its {@code server.ini}. */
public final class PlainBroker {
    private PlainBroker() {}

    public static void main(String[] arguments) throws Exception {
        try {
            Broker broker = Broker.start(BrokerConfig.load(Path.of(arguments[0])));
            Runtime.getRuntime().addShutdownHook(new Thread(broker::close, "stop"));
            broker.stopped().toCompletableFuture().join();
        } catch (ConfigException e) {
            System.err.println(e.getMessage());
            Runtime.getRuntime().halt(2);
        } catch (Exception e) {
            if (Boolean.getBoolean("tck.trace")) e.printStackTrace();
            System.err.println(e);
            Runtime.getRuntime().halt(1);
        }
    }
}
