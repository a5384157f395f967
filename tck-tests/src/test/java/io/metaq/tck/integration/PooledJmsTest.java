package io.metaq.tck.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.Broker;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.jms.MetaQConnectionFactory;
import io.metaq.tck.harness.BrokerFiles;
import jakarta.jms.Connection;
import jakarta.jms.JMSContext;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.messaginghub.pooled.jms.JmsPoolConnectionFactory;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PooledJmsTest {
    @TempDir
    Path directory;

    private Broker broker;
    private JmsPoolConnectionFactory pool;

    @BeforeEach
    void start() throws Exception {
        broker = Broker.start(BrokerConfig.load(BrokerFiles.in(directory).write()));
        pool = new JmsPoolConnectionFactory();
        pool.setConnectionFactory(new MetaQConnectionFactory("metaq://127.0.0.1:" + broker.port()));
        pool.setMaxConnections(2);
        pool.start();
    }

    @AfterEach
    void stop() {
        pool.stop();
        broker.close();
    }

    @Test
    void shouldLendConnectionsAndSessionsAgainAndAgain() throws Exception {
        for (int i = 0; i < 50; i++) {
            try (Connection connection = pool.createConnection()) {
                connection.start();
                Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
                Queue queue = session.createQueue("pooled");
                session.createProducer(queue).send(session.createTextMessage("m" + i));
                try (MessageConsumer consumer = session.createConsumer(queue)) {
                    assertThat(((TextMessage) consumer.receive(10_000)).getText())
                            .isEqualTo("m" + i);
                }
            }
        }
        assertThat(pool.getNumConnections()).isLessThanOrEqualTo(2);
    }

    @Test
    void shouldRollBackWhatABorrowerLeftOpen() throws Exception {
        try (JMSContext context = pool.createContext(JMSContext.SESSION_TRANSACTED)) {
            context.createProducer().send(context.createQueue("left"), "never");
        }
        try (JMSContext context = pool.createContext(JMSContext.SESSION_TRANSACTED)) {
            context.createProducer().send(context.createQueue("left"), "committed");
            context.commit();
        }
        try (JMSContext context = pool.createContext()) {
            var consumer = context.createConsumer(context.createQueue("left"));
            assertThat(consumer.receive(10_000).getBody(String.class)).isEqualTo("committed");
            assertThat(consumer.receive(300)).isNull();
        }
    }

    @Test
    void shouldMakeAnotherConnectionWhenOneFailed() throws Exception {
        try (JMSContext context = pool.createContext()) {
            context.createProducer().send(context.createQueue("again"), "one");
        }
        pool.clear();
        try (JMSContext context = pool.createContext()) {
            assertThat(context.createConsumer(context.createQueue("again"))
                            .receive(10_000)
                            .getBody(String.class))
                    .isEqualTo("one");
        }
    }
}
