package io.metaq.tck.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.metaq.broker.Broker;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.zookeeper.EmbeddedZooKeeper;
import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.OriginalClient;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members of the original client and of ours in one group, in the order of names old and new, new and old. */
class SharedGroupTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String TOPIC = "shared";
    private static final String GROUP = "mixed";

    @TempDir
    Path directory;

    private EmbeddedZooKeeper zooKeeper;
    private Broker broker;
    private GroupNodes nodes;

    @BeforeEach
    void start() throws Exception {
        zooKeeper = EmbeddedZooKeeper.start(
                directory.resolve("zk"), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        broker = Broker.start(BrokerConfig.load(BrokerFiles.in(directory.resolve("broker"))
                .set("maxMessageSize", 1 << 20)
                .osTopic(TOPIC, 11)
                .zookeeper(zooKeeper.connectString())
                .write()));
        nodes = new GroupNodes(zooKeeper.connectString(), GROUP, TOPIC);
    }

    @AfterEach
    void stop() throws Exception {
        nodes.close();
        broker.close();
        zooKeeper.close();
    }

    @Test
    void shouldSplitPartitionsWithOldMembersWhoeverComesAndGoes() throws Exception {
        try (OriginalClient old = OriginalClient.through(zooKeeper.connectString());
                OriginalClient older = OriginalClient.through(zooKeeper.connectString())) {
            old.consume(TOPIC, GROUP);
            awaitSplitAmong(1);
            // Sorts before the old members, whose names begin with an address; the other one after them.
            try (SharingMember before = new SharingMember(zooKeeper.connectString(), GROUP, "!new", TOPIC)) {
                awaitSplitAmong(2);
                try (SharingMember after = new SharingMember(zooKeeper.connectString(), GROUP, "znew", TOPIC)) {
                    awaitSplitAmong(3);
                    older.consume(TOPIC, GROUP);
                    awaitSplitAmong(4);
                    assertOwns(before);
                    assertOwns(after);
                    old.shutdown();
                    awaitSplitAmong(3);
                    assertOwns(after);
                }
                awaitSplitAmong(2);
                assertOwns(before);
            }
            awaitSplitAmong(1);
            older.shutdown();
        }
    }

    /** Every partition has an owner, and it is the one that the rule says. */
    private void awaitSplitAmong(int members) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            List<String> names = nodes.members();
            assertThat(names).hasSize(members);
            assertThat(nodes.owners()).isEqualTo(nodes.ranges(names, 11));
        });
    }

    private void assertOwns(SharingMember member) throws Exception {
        List<String> expected = nodes.partitionsOf(GROUP + "_" + member.name());
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(member.owned()).containsExactlyInAnyOrderElementsOf(expected));
    }
}
