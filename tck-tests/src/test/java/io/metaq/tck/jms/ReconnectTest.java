package io.metaq.tck.jms;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.jms.MetaQConnectionFactory;
import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.BrokerProcess;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The broker is killed and comes back. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReconnectTest {
    @TempDir
    Path directory;

    @Test
    @Covers(
            sections = {"9.1", "6.2.12"},
            rules = 12)
    void shouldSurviveTheRestartOfTheBroker() throws Exception {
        BrokerFiles files = BrokerFiles.in(directory);
        BrokerProcess first = BrokerProcess.start(files);
        try (Connection connection = connect(files)) {
            Session session = connection.createSession();
            Session client = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
            Jms.send(session, session.createQueue("q"), "a", "b", "c");
            MessageConsumer consumer = client.createConsumer(session.createQueue("q"));
            Jms.next(consumer).acknowledge();
            assertThat(Jms.text(consumer)).isEqualTo("b");
            first.kill9();
            try (BrokerProcess second = BrokerProcess.start(files)) {
                Jms.send(session, session.createQueue("q"), "d");
                List<String> texts = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    Message message = consumer.receive(30_000);
                    texts.add(message.getBody(String.class));
                    assertThat(message.getJMSRedelivered()
                                    || !message.getBody(String.class).equals("b"))
                            .as("b is marked")
                            .isTrue();
                }
                assertThat(texts).containsExactly("b", "c", "d");
                assertThat(second.isAlive()).isTrue();
            }
        } finally {
            first.close();
        }
    }

    @Test
    @Covers(sections = "6.1.7")
    void shouldTellTheExceptionListenerWhenTheBrokerStaysAway() throws Exception {
        BrokerFiles files = BrokerFiles.in(directory);
        CompletableFuture<JMSException> told = new CompletableFuture<>();
        try (BrokerProcess broker = BrokerProcess.start(files);
                Connection connection = connect(files)) {
            connection.setExceptionListener(told::complete);
            broker.kill9();
            assertThat(told.get(60, TimeUnit.SECONDS)).hasMessageContaining("127.0.0.1:" + files.port());
        }
    }

    private static Connection connect(BrokerFiles files) throws JMSException {
        Connection connection = new MetaQConnectionFactory(
                        "metaq://127.0.0.1:" + files.port() + "?reconnectTimeout=20000")
                .createConnection();
        connection.start();
        return connection;
    }
}
