package io.metaq.example.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.metaq.broker.Broker;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.config.Settings;
import io.metaq.jms.MetaQConnectionFactory;
import jakarta.jms.JMSContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

class ShopApplicationTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private static Path dir;

    private static Broker broker;
    private static MetaQConnectionFactory queues;
    private static ConfigurableApplicationContext application;

    @BeforeAll
    static void start() throws Exception {
        broker = Broker.start(BrokerConfig.builder()
                .dataPath(dir.resolve("data"))
                .serverPort(0)
                .set(Settings.JOURNAL_SEGMENT_SIZE, 34 << 20)
                .set(Settings.DISK_WATERMARK_BYTES, 0L)
                .build());
        String uri = "metaq://127.0.0.1:" + broker.port();
        queues = new MetaQConnectionFactory(uri);
        application = SpringApplication.run(
                ShopApplication.class,
                "--metaq.uri=" + uri,
                "--database.url=jdbc:h2:file:" + dir.resolve("book"),
                "--narayana.node=test-1",
                "--narayana.log=" + dir.resolve("log"));
    }

    @AfterAll
    static void stop() {
        application.close();
        broker.close();
    }

    @Test
    void shouldBookAllOrNothing() {
        Shop shop = application.getBean(Shop.class);
        shop.order(3, "apples", "pears", "apples");
        assertThatThrownBy(() -> shop.order(1, "plums", "too many")).isInstanceOf(IllegalArgumentException.class);

        JdbcTemplate database = application.getBean(JdbcTemplate.class);
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(database.queryForList("select item from book order by item", String.class))
                                .containsExactly("apples", "pears"));
        // The second order of apples fails until it is a dead letter; it was never invoiced.
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(received("DLQ")).containsExactly("apples"));
        List<String> invoices = new ArrayList<>();
        await().atMost(PATIENCE).untilAsserted(() -> {
            invoices.addAll(received("invoices"));
            assertThat(invoices).containsExactlyInAnyOrder("invoice for apples", "invoice for pears");
        });
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
}
