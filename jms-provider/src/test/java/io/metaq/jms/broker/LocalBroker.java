package io.metaq.jms.broker;

import io.metaq.broker.Broker;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.jms.MetaQConnectionFactory;
import io.metaq.testkit.net.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A broker that can be stopped and started again, on the same port with the same data. */
public final class LocalBroker implements AutoCloseable {

    private final Path configuration;
    private final int port;
    private Broker broker;

    public LocalBroker(Path directory, String... settings) {
        port = FreePort.find();
        StringBuilder ini = new StringBuilder("[system]\nbrokerId=0\nbindAddress=127.0.0.1\nhostName=127.0.0.1\n")
                .append("serverPort=")
                .append(port)
                .append("\ndataPath=")
                .append(directory.resolve("data"))
                .append("\njournalSegmentSize=4194304\nmaxMessageSize=2097152\ndiskWatermarkBytes=0\n");
        for (String setting : settings) {
            ini.append(setting).append('\n');
        }
        ini.append("[zookeeper]\nzk.zkEnable=false\n");
        try {
            configuration = Files.writeString(directory.resolve("server.ini"), ini);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        broker = start();
    }

    private Broker start() {
        try {
            return Broker.start(BrokerConfig.load(configuration));
        } catch (Exception e) {
            throw new IllegalStateException("the broker does not start", e);
        }
    }

    public int port() {
        return port;
    }

    public String uri() {
        return "metaq://127.0.0.1:" + port;
    }

    public MetaQConnectionFactory factory() {
        return new MetaQConnectionFactory(uri());
    }

    /** @param options as in a connection URI: {@code prefetch=1&user=x} */
    public MetaQConnectionFactory factory(String options) {
        return new MetaQConnectionFactory(uri() + "?" + options);
    }

    public void stop() {
        broker.close();
    }

    public void restart() {
        broker.close();
        broker = start();
    }

    @Override
    public void close() {
        broker.close();
    }
}
