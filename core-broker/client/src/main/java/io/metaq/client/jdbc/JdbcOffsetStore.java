package io.metaq.client.jdbc;

import io.metaq.client.MetaqException;
import io.metaq.client.OffsetStore;
import io.metaq.client.StoredOffset;
import io.metaq.client.TopicPartition;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Keeps offsets in a table of any JDBC database, with statements that every SQL database knows. All offsets of a commit are stored in one
 * transaction. The table has to exist:
 *
 * <pre>{@code
 * CREATE TABLE metaq_offsets (
 *   group_name   VARCHAR(255) NOT NULL,
 *   topic        VARCHAR(255) NOT NULL,
 *   broker_id    INT          NOT NULL,
 *   partition_no INT          NOT NULL,
 *   next_offset  BIGINT       NOT NULL,
 *   message_id   BIGINT       NOT NULL,
 *   PRIMARY KEY (group_name, topic, broker_id, partition_no))
 * }</pre>
 */
public final class JdbcOffsetStore implements OffsetStore {

    /** The table's name unless another is given. */
    public static final String DEFAULT_TABLE = "metaq_offsets";

    private static final Pattern TABLE_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)?");
    private static final String KEY = " WHERE group_name = ? AND topic = ? AND broker_id = ? AND partition_no = ?";

    private final DataSource dataSource;
    private final String select;
    private final String update;
    private final String insert;

    /** Uses the table {@value #DEFAULT_TABLE}. */
    public JdbcOffsetStore(DataSource dataSource) {
        this(dataSource, DEFAULT_TABLE);
    }

    /**
     * @param dataSource stays the caller's to close; a connection is taken and given back at each call
     * @param table a plain name, with its schema if needed
     */
    public JdbcOffsetStore(DataSource dataSource, String table) {
        if (!TABLE_NAME.matcher(table).matches()) {
            throw new IllegalArgumentException("'" + table + "' is not a plain table name");
        }
        this.dataSource = dataSource;
        this.select = "SELECT next_offset, message_id FROM " + table + KEY;
        this.update = "UPDATE " + table + " SET next_offset = ?, message_id = ?" + KEY;
        this.insert = "INSERT INTO " + table
                + " (next_offset, message_id, group_name, topic, broker_id, partition_no) VALUES (?, ?, ?, ?, ?, ?)";
    }

    @Override
    public @Nullable StoredOffset load(String group, TopicPartition partition) {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement(select)) {
            setKey(statement, 1, group, partition);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? new StoredOffset(rows.getLong(1), rows.getLong(2)) : null;
            }
        } catch (SQLException e) {
            throw new MetaqException(
                    "offset of group " + group + " at " + partition + " cannot be read from the database", e);
        }
    }

    @Override
    public void commit(String group, Map<TopicPartition, StoredOffset> offsets) {
        try (Connection connection = dataSource.getConnection()) {
            boolean before = connection.getAutoCommit();
            connection.setAutoCommit(false);
            try {
                // In a fixed order, so that two members that store the same rows cannot wait for each other.
                for (Map.Entry<TopicPartition, StoredOffset> entry : new TreeMap<>(offsets).entrySet()) {
                    store(connection, group, entry.getKey(), entry.getValue());
                }
                connection.commit();
            } catch (SQLException e) {
                connection.rollback();
                throw e;
            } finally {
                connection.setAutoCommit(before);
            }
        } catch (SQLException e) {
            throw new MetaqException("offsets of group " + group + " cannot be stored in the database", e);
        }
    }

    private void store(Connection connection, String group, TopicPartition partition, StoredOffset offset)
            throws SQLException {
        if (execute(connection, update, group, partition, offset) == 0) {
            execute(connection, insert, group, partition, offset);
        }
    }

    private static int execute(
            Connection connection, String sql, String group, TopicPartition partition, StoredOffset offset)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, offset.offset());
            statement.setLong(2, offset.messageId());
            setKey(statement, 3, group, partition);
            return statement.executeUpdate();
        }
    }

    private static void setKey(PreparedStatement statement, int first, String group, TopicPartition partition)
            throws SQLException {
        statement.setString(first, group);
        statement.setString(first + 1, partition.topic());
        statement.setInt(first + 2, partition.broker());
        statement.setInt(first + 3, partition.partition());
    }
}
