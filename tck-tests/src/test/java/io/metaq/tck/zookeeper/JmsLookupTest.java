package io.metaq.tck.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.broker.Broker;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.zookeeper.EmbeddedZooKeeper;
import io.metaq.jms.MetaQConnectionFactory;
import io.metaq.tck.harness.BrokerFiles;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TextMessage;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JMS application that knows ZooKeeper alone. */
class JmsLookupTest {
    private static final long WAIT_MS = 20_000;

    @TempDir
    Path directory;

    private EmbeddedZooKeeper zooKeeper;
    private BrokerFiles files;
    private Broker broker;

    @BeforeEach
    void start() throws Exception {
        zooKeeper = EmbeddedZooKeeper.start(
                directory.resolve("zk"), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        files = BrokerFiles.in(directory.resolve("broker")).zookeeper(zooKeeper.connectString());
        broker = Broker.start(BrokerConfig.load(files.write()));
    }

    @AfterEach
    void stop() throws Exception {
        broker.close();
        zooKeeper.close();
    }

    private Connection connect() throws JMSException {
        return new MetaQConnectionFactory("metaq://" + zooKeeper.connectString() + "?lookup=zookeeper")
                .createConnection();
    }

    @Test
    void shouldFindTheBrokerAndUseAllOfIt() throws Exception {
        try (Connection connection = connect();
                Session session = connection.createSession()) {
            connection.start();
            Queue queue = session.createQueue("orders");
            TemporaryQueue answers = session.createTemporaryQueue();
            MessageConsumer consumer = session.createConsumer(queue);
            MessageConsumer answered = session.createConsumer(answers);
            TextMessage order = session.createTextMessage("tea");
            order.setJMSReplyTo(answers);
            session.createProducer(queue).send(order);
            Message received = consumer.receive(WAIT_MS);
            assertThat(received.getBody(String.class)).isEqualTo("tea");
            BytesMessage answer = session.createBytesMessage();
            answer.writeBytes(new byte[3_000_000]);
            session.createProducer(received.getJMSReplyTo()).send(answer);
            assertThat(((BytesMessage) answered.receive(WAIT_MS)).getBodyLength())
                    .isEqualTo(3_000_000);
        }
    }

    @Test
    void shouldGoOnWhenTheBrokerWasRestarted() throws Exception {
        try (Connection connection = connect();
                Session session = connection.createSession()) {
            connection.start();
            Queue queue = session.createQueue("orders");
            MessageConsumer consumer = session.createConsumer(queue);
            session.createProducer(queue).send(session.createTextMessage("before"));
            assertThat(consumer.receive(WAIT_MS).getBody(String.class)).isEqualTo("before");
            broker.close();
            broker = Broker.start(BrokerConfig.load(files.write()));
            session.createProducer(queue).send(session.createTextMessage("after"));
            assertThat(consumer.receive(WAIT_MS).getBody(String.class)).isEqualTo("after");
        }
    }

    @Test
    void shouldSayThatThereIsNoBroker() {
        broker.close();
        assertThatThrownBy(this::connect).isInstanceOf(JMSException.class).hasMessageContaining("connect to");
    }
}
