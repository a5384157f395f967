package io.metaq.broker.subscription;

import io.metaq.broker.Broker;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.config.BrokerConfigBuilder;
import io.metaq.broker.config.ConfigException;
import io.metaq.broker.config.Settings;
import io.metaq.message.PropertyBlockWriter;
import io.metaq.testkit.net.FreePort;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A broker that can be restarted on its port, and connections to it. */
final class TestBroker implements AutoCloseable {
    private final Path dir;
    private final List<Wire> open = new ArrayList<>();
    private Broker broker;
    private @Nullable Wire sender;

    TestBroker(Path dir) throws IOException {
        this.dir = dir;
        this.broker = start(FreePort.find(), 0);
    }

    private Broker start(int port, int watermarkPercent) throws IOException {
        BrokerConfigBuilder builder = BrokerConfig.builder()
                .dataPath(dir)
                .serverPort(port)
                .set(Settings.JOURNAL_SEGMENT_SIZE, 34 << 20)
                .set(Settings.DISK_WATERMARK_BYTES, 0L)
                .set(Settings.DISK_WATERMARK_PERCENT, watermarkPercent);
        try {
            return Broker.start(builder.build());
        } catch (ConfigException e) {
            throw new IllegalArgumentException(e);
        }
    }

    void restart() throws IOException {
        restart(0);
    }

    /** The same as a broker that wants so much of the disk free, and counts it as full while there is less. */
    void restart(int watermarkPercent) throws IOException {
        int port = broker.port();
        broker.close();
        sender = null;
        broker = start(port, watermarkPercent);
    }

    Wire connect() {
        try {
            Wire wire = new Wire(broker.port());
            open.add(wire);
            return wire;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A connection for what the test itself sends. */
    Wire wire() {
        if (sender == null) {
            sender = connect();
        }
        return Objects.requireNonNull(sender);
    }

    void send(String topic, String... texts) {
        for (String text : texts) {
            send(topic, text, new PropertyBlockWriter());
        }
    }

    void send(String topic, String text, PropertyBlockWriter block) {
        byte[] body = block.join(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        String answer =
                Wire.get(wire().begin("put " + topic + " 0 " + body.length + " " + block.flags() + " OPQ", body));
        if (!answer.startsWith("200")) {
            throw new IllegalStateException(answer);
        }
    }

    @Override
    public void close() throws IOException {
        for (Wire wire : open) {
            wire.close();
        }
        broker.close();
    }
}
