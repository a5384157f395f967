package io.metaq.tck.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.metaq.broker.zookeeper.EmbeddedZooKeeper;
import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.BrokerProcess;
import io.metaq.tck.harness.OriginalClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The original client, unchanged, against our broker. */
class OriginalClientTest {
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    @TempDir
    Path directory;

    private EmbeddedZooKeeper zooKeeper;

    @BeforeEach
    void startZooKeeper() throws IOException {
        zooKeeper = EmbeddedZooKeeper.start(
                directory.resolve("zk"), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    @AfterEach
    void stopZooKeeper() {
        zooKeeper.close();
    }

    @Test
    void shouldSendInAllWaysAndConsumeWithTwoMembersOfAGroup() {
        try (var broker = BrokerProcess.start(files())) {
            OriginalClientUse.sendAndConsumeInAGroup(zooKeeper.connectString());
        }
    }

    @Test
    void shouldBrowseATopicAndAskForStatistics() {
        try (var broker = BrokerProcess.start(files())) {
            OriginalClientUse.browseAndCount(zooKeeper.connectString());
        }
    }

    @Test
    void shouldSendDirectlyWithoutZooKeeper() {
        try (var broker = BrokerProcess.start(files());
                var client = OriginalClient.direct("127.0.0.1:" + broker.port())) {
            client.publish("orders");
            assertThat(client.send("orders", "direct", "attribute").offset()).isZero();
        }
    }

    /** The restart comes within the ZooKeeper session of the killed broker: its ephemeral nodes are still there. */
    @Test
    void shouldGoOnAfterTheBrokerWasKilledAndRestartedAtOnce() {
        var files = files();
        List<String> sent = new ArrayList<>();
        List<String> received = new ArrayList<>();
        var broker = BrokerProcess.start(files);
        try (var client = OriginalClient.through(zooKeeper.connectString());
                var member = OriginalClient.through(zooKeeper.connectString())) {
            client.publish("orders");
            member.consume("orders", "shop");
            sendUntilAccepted(client, "before", sent);
            awaitAll(member, sent, received);
            broker.kill9();
            broker = BrokerProcess.start(files);
            for (int i = 0; i < 20; i++) {
                sendUntilAccepted(client, "after " + i, sent);
            }
            awaitAll(member, sent, received);
            assertThat(client.browse("orders")).containsAll(sent);
        } finally {
            broker.close();
        }
    }

    /** The original client gives up on a send after one try, so the application repeats it. */
    private static void sendUntilAccepted(OriginalClient client, String data, List<String> sent) {
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> client.send("orders", data, null).offset() >= 0);
        sent.add(data);
    }

    private static void awaitAll(OriginalClient member, List<String> sent, List<String> received) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            member.received().forEach(message -> received.add(message.data()));
            assertThat(received).containsAll(sent);
        });
    }

    private BrokerFiles files() {
        return BrokerFiles.in(directory.resolve("broker"))
                .osTopic("orders", 2)
                .osTopic("kept", 2)
                .zookeeper(zooKeeper.connectString());
    }
}
