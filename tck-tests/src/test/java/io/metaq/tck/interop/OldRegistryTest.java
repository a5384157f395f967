package io.metaq.tck.interop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.broker.Broker;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.zookeeper.EmbeddedZooKeeper;
import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.LogReader;
import io.metaq.tck.harness.StoredMessage;
import io.metaq.tck.harness.Wire;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Python and Ruby producers of 1.4 from beginning to end: through ZooKeeper's oldest tree to a stored message. */
class OldRegistryTest {
    private static final String TOPIC = "old";

    private static EmbeddedZooKeeper zooKeeper;
    private static Broker broker;

    @BeforeAll
    static void start(@TempDir Path directory) throws Exception {
        zooKeeper = EmbeddedZooKeeper.start(
                directory.resolve("zk"), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        broker = Broker.start(BrokerConfig.load(BrokerFiles.in(directory.resolve("broker"))
                .set("brokerId", 3)
                .set("hostName", "127.0.0.1")
                .osTopic(TOPIC, 5)
                .zookeeper(zooKeeper.connectString())
                .write()));
    }

    @AfterAll
    static void stop() {
        broker.close();
        zooKeeper.close();
    }

    @Test
    void shouldBeFoundAndTakeWhatTheySend() throws Exception {
        try (OldProducer producer = new OldProducer(zooKeeper.connectString(), TOPIC)) {
            assertThat(producer.partitions()).isEqualTo(5);
            assertThat(producer.brokers()).containsExactly("3");
            OldProducer.SendResult first = producer.send(0, "hello".getBytes(UTF_8));
            OldProducer.SendResult second = producer.send(0, "attr", "world".getBytes(UTF_8));
            assertThat(first.offset()).isEqualTo("0");
            assertThat(second.offset()).isEqualTo("25");
            assertThat(Long.parseLong(second.messageId())).isGreaterThan(Long.parseLong(first.messageId()));
            assertThat(producer.heartbeat()).isNotBlank();
            assertThat(producer.send(0, "again".getBytes(UTF_8)).offset()).isEqualTo("58");
        }
        List<StoredMessage> stored = stored(0);
        assertThat(stored).extracting(StoredMessage::flag).containsExactly(0, 1, 0);
        assertThat(new String(stored.get(1).body(), UTF_8)).isEqualTo("\0\0\0\4attrworld");
    }

    @Test
    void shouldKeepTextOfAllLanguagesThatPythonSends() throws Exception {
        byte[] text = "h\u00e4\u00dflich \u6f22\u5b57 \ud83d\ude00".getBytes(UTF_8);
        try (OldProducer producer = new OldProducer(zooKeeper.connectString(), TOPIC)) {
            producer.send(1, "\u00e4ttr", text);
        }
        assertThat(new String(stored(1).get(0).body(), UTF_8)).endsWith(new String(text, UTF_8));
    }

    /** The broker stores what the length says, cannot tell where the next frame begins, and closes: no other connection is harmed. */
    @Test
    void shouldEndAConnectionWhoseLengthsAreInCharacters() throws Exception {
        try (OldProducer ruby = new OldProducer(zooKeeper.connectString(), TOPIC);
                OldProducer python = new OldProducer(zooKeeper.connectString(), TOPIC)) {
            ruby.sendAsRubyDoes(2, "plain");
            ruby.sendAsRubyDoes(2, "sch\u00f6n");
            assertThatThrownBy(() -> ruby.sendAsRubyDoes(2, "after")).isInstanceOf(IOException.class);
            python.send(2, "unharmed".getBytes(UTF_8));
        }
        assertThat(stored(2))
                .extracting(message -> new String(message.body(), UTF_8))
                .containsExactly("plain", "sch\u00f6", "unharmed");
    }

    private static List<StoredMessage> stored(int partition) throws IOException {
        try (Wire wire = Wire.connect(broker.port())) {
            return LogReader.read(wire, TOPIC, partition, 0);
        }
    }
}
