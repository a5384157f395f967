package io.metaq.tck.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.metaq.broker.Broker;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.OriginalZooKeeper;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Our broker and client with the ZooKeeper 3.4.3 that stands beside brokers of 1.4. */
class OldZooKeeperTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    @Test
    void shouldMeetInTheZooKeeperOfOldBrokers() throws Exception {
        try (OriginalZooKeeper zooKeeper = OriginalZooKeeper.start(directory.resolve("zk"));
                Broker broker = Broker.start(BrokerConfig.load(BrokerFiles.in(directory.resolve("broker"))
                        .set("maxMessageSize", 1 << 20)
                        .osTopic("t", 2)
                        .zookeeper(zooKeeper.address())
                        .write()));
                MetaqClient client =
                        MetaqClient.builder().zookeeper(zooKeeper.address()).build()) {
            List<String> received = new CopyOnWriteArrayList<>();
            var consumer = client.consumer("g")
                    .offsetsInZooKeeper()
                    .subscribe("t", message -> received.add(new String(message.data(), UTF_8)))
                    .start();
            try (var producer = client.producer().build()) {
                for (int i = 0; i < 10; i++) {
                    assertThat(producer.send(Message.of("t", ("m" + i).getBytes(UTF_8)))
                                    .server()
                                    .port())
                            .isEqualTo(broker.port());
                }
            }
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(received).hasSize(10));
            consumer.close();
            try (GroupNodes nodes = new GroupNodes(zooKeeper.address(), "g", "t")) {
                assertThat(nodes.members()).isEmpty();
                assertThat(nodes.owners()).isEmpty();
                assertThat(nodes.offset("0-0")).matches("\\d+-\\d+");
            }
        }
    }
}
