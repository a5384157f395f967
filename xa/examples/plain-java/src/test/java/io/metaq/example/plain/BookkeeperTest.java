package io.metaq.example.plain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.broker.Broker;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.config.Settings;
import io.metaq.jms.MetaQXAConnectionFactory;
import jakarta.jms.JMSContext;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BookkeeperTest {
    private static final long WAIT_MS = 10_000;
    private static final long NO_WAIT_MS = 300;

    @TempDir
    private static Path dir;

    private static Broker broker;
    private static MetaQXAConnectionFactory queues;
    private static JdbcDataSource database;
    private static Coordinator coordinator;

    @BeforeAll
    static void start() throws Exception {
        broker = Broker.start(BrokerConfig.builder()
                .dataPath(dir.resolve("data"))
                .serverPort(0)
                .set(Settings.JOURNAL_SEGMENT_SIZE, 34 << 20)
                .set(Settings.DISK_WATERMARK_BYTES, 0L)
                .build());
        queues = new MetaQXAConnectionFactory("metaq://127.0.0.1:" + broker.port());
        database = new JdbcDataSource();
        database.setUrl("jdbc:h2:file:" + dir.resolve("book"));
        coordinator = new Coordinator(dir.resolve("log"), "test-1", queues, database);
    }

    @AfterAll
    static void stop() {
        coordinator.close();
        broker.close();
    }

    @Test
    void shouldBookAllOrNothing() throws Exception {
        order("apples", "pears", "apples");
        try (Bookkeeper bookkeeper = new Bookkeeper(coordinator.transactions(), queues, database)) {
            assertThat(bookkeeper.bookNext(WAIT_MS)).isTrue();
            assertThat(bookkeeper.bookNext(WAIT_MS)).isTrue();
            // The table takes no item twice: the order is not taken and nothing is invoiced.
            assertThatThrownBy(() -> bookkeeper.bookNext(WAIT_MS)).isInstanceOf(SQLException.class);
        }

        assertThat(rows()).containsExactly("apples", "pears");
        assertThat(received("invoices")).containsExactly("invoice for apples", "invoice for pears");
        assertThat(received("orders")).containsExactly("apples");
    }

    @Test
    void shouldSayThatThereIsNothingToBook() throws Exception {
        try (Bookkeeper bookkeeper = new Bookkeeper(coordinator.transactions(), queues, database)) {
            assertThat(bookkeeper.bookNext(NO_WAIT_MS)).isFalse();
        }
    }

    private static void order(String... items) {
        try (JMSContext context = queues.createContext()) {
            for (String item : items) {
                context.createProducer().send(context.createQueue("orders"), item);
            }
        }
    }

    private static List<String> received(String queue) {
        List<String> texts = new ArrayList<>();
        try (JMSContext context = queues.createContext()) {
            var consumer = context.createConsumer(context.createQueue(queue));
            for (String text = consumer.receiveBodyNoWait(String.class);
                    text != null;
                    text = consumer.receiveBodyNoWait(String.class)) {
                texts.add(text);
            }
        }
        return texts;
    }

    private static List<String> rows() throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("select item from book order by item")) {
            while (found.next()) {
                rows.add(found.getString(1));
            }
        }
        return rows;
    }
}
