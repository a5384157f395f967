package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.client.jdbc.JdbcOffsetStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Map;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OffsetStoresTest {

    private static final TopicPartition ZERO = new TopicPartition("größe/x", 3, 0);
    private static final TopicPartition ONE = new TopicPartition("größe/x", 3, 1);

    @TempDir
    Path directory;

    private static void exercise(OffsetStore store) {
        assertThat(store.load("g", ZERO)).isNull();
        store.commit("g", Map.of(ZERO, new StoredOffset(10, 7), ONE, new StoredOffset(20, -1)));
        store.commit("g", Map.of(ZERO, new StoredOffset(Long.MAX_VALUE, 8)));

        assertThat(store.load("g", ZERO)).isEqualTo(new StoredOffset(Long.MAX_VALUE, 8));
        assertThat(store.load("g", ONE)).isEqualTo(new StoredOffset(20, -1));
        assertThat(store.load("other", ZERO)).isNull();
    }

    @Test
    void shouldKeepOffsetsInAFile() {
        exercise(OffsetStore.file(directory));

        assertThat(OffsetStore.file(directory).load("g", ONE)).isEqualTo(new StoredOffset(20, -1));
    }

    @Test
    void shouldSayWhichFileIsDamaged() throws Exception {
        Files.writeString(directory.resolve("g.offsets"), "nonsense");

        assertThatThrownBy(() -> OffsetStore.file(directory).load("g", ZERO))
                .isInstanceOf(MetaqException.class)
                .hasMessageContaining("g.offsets");
    }

    @Test
    void shouldKeepOffsetsInADatabase() throws Exception {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:offsets;DB_CLOSE_DELAY=-1");
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE metaq_offsets (group_name VARCHAR(255) NOT NULL, topic VARCHAR(255) NOT NULL,"
                            + " broker_id INT NOT NULL, partition_no INT NOT NULL, next_offset BIGINT NOT NULL,"
                            + " message_id BIGINT NOT NULL, PRIMARY KEY (group_name, topic, broker_id, partition_no))");
        }
        exercise(new JdbcOffsetStore(database));

        assertThat(new JdbcOffsetStore(database).load("g", ONE)).isEqualTo(new StoredOffset(20, -1));
        assertThatThrownBy(() -> new JdbcOffsetStore(database, "x; DROP TABLE y"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new JdbcOffsetStore(database, "missing").load("g", ONE))
                .isInstanceOf(MetaqException.class);
    }
}
