package io.metaq.client.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.client.Cluster;
import io.metaq.client.MetaqException;
import io.metaq.client.OffsetStore;
import io.metaq.client.StoredOffset;
import io.metaq.client.TopicPartition;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.zookeeper.CreateMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ZooKeeperOffsetsTest {
    private static final TopicPartition PARTITION = new TopicPartition("t", 7, 1);

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({
        "12-345, 12, 345",
        "0-0, 0, 0",
        "-1-0, -1, 0",
        "-5468959012-53, -5468959012, 53",
        "9876543210, -1, 9876543210",
        "-1-9223372036854775807, -1, 9223372036854775807"
    })
    void shouldReadWhatOldClientsWrote(String text, long id, long offset) {
        assertThat(ZooKeeperOffsets.parse(text)).isEqualTo(new StoredOffset(offset, id));
    }

    @Test
    void shouldStoreWhereOldClientsLook() throws Exception {
        try (TestZooKeeper server = new TestZooKeeper(directory);
                Cluster cluster = new ZooKeeperClusterProvider()
                        .open(server.connect(), "/meta", Duration.ofSeconds(10), Duration.ofSeconds(10), false)) {
            OffsetStore offsets = cluster.offsets();
            assertThat(offsets.load("g", PARTITION)).isNull();
            offsets.commit("g", Map.of(PARTITION, new StoredOffset(100, -5)));
            assertThat(server.get("/meta/consumers/g/offsets/t/7-1")).isEqualTo("-5-100");
            offsets.commit("g", Map.of(PARTITION, new StoredOffset(220, 6), other(), new StoredOffset(1, 1)));
            assertThat(server.get("/meta/consumers/g/offsets/t/7-1")).isEqualTo("6-220");
            assertThat(offsets.load("g", PARTITION)).isEqualTo(new StoredOffset(220, 6));
            assertThat(server.session("/meta/consumers/g/offsets/t/7-1")).isZero();
        }
    }

    @Test
    void shouldNotTakeNonsenseForAStart() throws Exception {
        try (TestZooKeeper server = new TestZooKeeper(directory);
                Cluster cluster = new ZooKeeperClusterProvider()
                        .open(server.connect(), "/meta", Duration.ofSeconds(10), Duration.ofSeconds(10), false)) {
            server.put("/meta/consumers/g/offsets/t/7-1", "nonsense", CreateMode.PERSISTENT);
            assertThatThrownBy(() -> cluster.offsets().load("g", PARTITION))
                    .isInstanceOf(MetaqException.class)
                    .hasMessageContaining("/meta/consumers/g/offsets/t/7-1");
        }
    }

    private static TopicPartition other() {
        return new TopicPartition("t", 7, 2);
    }
}
