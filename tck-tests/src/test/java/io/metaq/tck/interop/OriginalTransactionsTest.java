package io.metaq.tck.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Local and global transactions of the original client, unchanged, with our broker. */
class OriginalTransactionsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final String TOPIC = "orders";
    private static final String NOTA = "failed -4";

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

    private BrokerFiles files() {
        return BrokerFiles.in(directory.resolve("broker")).osTopic(TOPIC, 2).zookeeper(zooKeeper.connectString());
    }

    private OriginalClient client() {
        OriginalClient client = OriginalClient.through(zooKeeper.connectString());
        client.publish(TOPIC);
        await().atMost(PATIENCE).ignoreExceptions().until(() -> sends(client));
        return client;
    }

    /** The original does not wait long until it knows its brokers. */
    private static boolean sends(OriginalClient client) {
        client.begin(30);
        try {
            client.send(TOPIC, "probe", null);
            return true;
        } finally {
            client.rollback();
        }
    }

    private static int rolledBack(OriginalClient client) {
        return Integer.parseInt(String.valueOf(client.stats(null).get("tx_rollback")));
    }

    @Test
    void shouldShowNothingOfALocalTransactionBeforeItsCommit() {
        try (var broker = BrokerProcess.start(files());
                var client = client();
                var reader = client()) {
            client.begin(30);
            client.send(TOPIC, "one", null);
            client.send(TOPIC, "two", "attribute");
            assertThat(reader.browse(TOPIC)).isEmpty();
            client.commit();
            assertThat(reader.browse(TOPIC)).containsExactlyInAnyOrder("one", "two");
            client.begin(30);
            client.send(TOPIC, "three", null);
            client.rollback();
            client.send(TOPIC, "four", null);
            assertThat(reader.browse(TOPIC)).containsExactlyInAnyOrder("one", "two", "four");
        }
    }

    @Test
    void shouldRollBackALocalTransactionThatTakesTooLong() {
        try (var broker = BrokerProcess.start(files());
                var client = client()) {
            int before = rolledBack(client);
            client.begin(1);
            client.send(TOPIC, "late", null);
            await().atMost(PATIENCE).until(() -> rolledBack(client) > before);
            assertThatThrownBy(client::commit).isInstanceOf(RuntimeException.class);
            assertThat(client.browse(TOPIC)).isEmpty();
        }
    }

    @Test
    void shouldTakeBranchesThroughTwoPhases() {
        try (var broker = BrokerProcess.start(files());
                var client = client();
                var reader = client()) {
            client.branches(TOPIC);
            assertThat(work(client, 1)).isEmpty();
            assertThat(client.branch("prepare", 1)).isEqualTo("0");
            assertThat(client.branch("recover", 0)).isEqualTo("1");
            assertThat(reader.browse(TOPIC)).isEmpty();
            assertThat(client.branch("commit", 1)).isEmpty();
            assertThat(client.branch("commit", 1)).isEqualTo(NOTA);
            assertThat(client.branch("rollback", 1)).isEqualTo(NOTA);
            assertThat(reader.browse(TOPIC)).containsExactly("branch 1");
            work(client, 2);
            assertThat(client.branch("commit-one-phase", 2)).isEmpty();
            work(client, 3);
            assertThat(client.branch("prepare", 3)).isEqualTo("0");
            assertThat(client.branch("rollback", 3)).isEmpty();
            assertThat(client.branch("recover", 0)).isEmpty();
            assertThat(reader.browse(TOPIC)).containsExactlyInAnyOrder("branch 1", "branch 2");
        }
    }

    private static String work(OriginalClient client, int number) {
        String started = client.branch("start", number);
        client.branchSend(TOPIC, "branch " + number);
        return started + client.branch("end", number);
    }

    @Test
    void shouldFinishWhatWasPreparedBeforeClientAndBrokerWereKilled() {
        BrokerFiles files = files();
        BrokerProcess broker = BrokerProcess.start(files);
        try {
            try (var client = client()) {
                client.branches(TOPIC);
                work(client, 1);
                work(client, 2);
                work(client, 3);
                assertThat(client.branch("prepare", 1)).isEqualTo("0");
                assertThat(client.branch("prepare", 2)).isEqualTo("0");
            }
            broker.kill9();
            broker = BrokerProcess.start(files);
            try (var client = client()) {
                client.branches(TOPIC);
                assertThat(client.branch("recover", 0)).isEqualTo("1 2");
                assertThat(client.browse(TOPIC)).isEmpty();
                assertThat(client.branch("commit", 1)).isEmpty();
                assertThat(client.branch("rollback", 2)).isEmpty();
                assertThat(client.branch("commit-one-phase", 3)).startsWith("failed");
                assertThat(client.browse(TOPIC)).containsExactly("branch 1");
                assertThat(client.branch("recover", 0)).isEmpty();
            }
        } finally {
            broker.close();
        }
    }
}
