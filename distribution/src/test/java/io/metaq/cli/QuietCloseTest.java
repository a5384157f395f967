package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.metaq.broker.Broker;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.config.Settings;
import io.metaq.jms.MetaQConnectionFactory;
import jakarta.jms.JMSContext;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What an application reads in its log when nothing is wrong. */
class QuietCloseTest {
    private final Logger client = (Logger) LoggerFactory.getLogger("io.metaq.client");
    private final ListAppender<ILoggingEvent> said = new ListAppender<>();

    @TempDir
    private Path dir;

    @BeforeEach
    void listen() {
        client.setLevel(Level.INFO);
        said.start();
        client.addAppender(said);
    }

    @AfterEach
    void stopListening() {
        client.detachAppender(said);
        client.setLevel(null);
    }

    @Test
    void shouldSayNothingOfAConnectionThatWasClosed() throws Exception {
        try (Broker broker = Broker.start(BrokerConfig.builder()
                .dataPath(dir.resolve("data"))
                .serverPort(0)
                .set(Settings.JOURNAL_SEGMENT_SIZE, 34 << 20)
                .set(Settings.DISK_WATERMARK_BYTES, 0L)
                .build())) {
            try (JMSContext context =
                    new MetaQConnectionFactory("metaq://127.0.0.1:" + broker.port()).createContext()) {
                context.createProducer().send(context.createQueue("q"), "hello");
                assertThat(context.createConsumer(context.createQueue("q")).receiveBody(String.class, 60_000))
                        .isEqualTo("hello");
            }
        }
        assertThat(said.list).isEmpty();
    }
}
