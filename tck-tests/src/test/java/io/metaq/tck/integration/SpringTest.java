package io.metaq.tck.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.Broker;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.jms.MetaQConnectionFactory;
import io.metaq.tck.harness.BrokerFiles;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jms.annotation.EnableJms;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.config.DefaultJmsListenerContainerFactory;
import org.springframework.jms.connection.CachingConnectionFactory;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.jms.listener.DefaultMessageListenerContainer;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SpringTest {
    @TempDir
    Path directory;

    private Broker broker;
    private ConnectionFactory factory;

    @BeforeEach
    void start() throws Exception {
        broker = Broker.start(BrokerConfig.load(BrokerFiles.in(directory).write()));
        factory = new MetaQConnectionFactory("metaq://127.0.0.1:" + broker.port());
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void shouldSendReceiveAndBrowseByJmsTemplate() {
        CachingConnectionFactory caching = new CachingConnectionFactory(factory);
        caching.setSessionCacheSize(5);
        JmsTemplate template = new JmsTemplate(caching);
        template.setReceiveTimeout(10_000);
        for (int i = 0; i < 20; i++) {
            template.convertAndSend("orders", "m" + i);
        }
        Integer browsed = template.browse(
                "orders",
                (session, browser) -> Collections.list(browser.getEnumeration()).size());

        assertThat(browsed).isEqualTo(20);
        for (int i = 0; i < 20; i++) {
            assertThat(template.receiveAndConvert("orders")).isEqualTo("m" + i);
        }
        template.setReceiveTimeout(JmsTemplate.RECEIVE_TIMEOUT_NO_WAIT);
        assertThat(template.receive("orders")).isNull();
        caching.destroy();
    }

    @Test
    void shouldAnswerByJmsTemplate() {
        CachingConnectionFactory caching = new CachingConnectionFactory(factory);
        JmsTemplate template = new JmsTemplate(caching);
        template.setReceiveTimeout(10_000);
        DefaultMessageListenerContainer container = container("requests");
        JmsTemplate answering = new JmsTemplate(caching);
        container.setMessageListener((jakarta.jms.MessageListener) request -> answer(answering, request));
        started(container);
        Message answer = template.sendAndReceive("requests", session -> session.createTextMessage("ping"));

        assertThat(answer).isNotNull().extracting(message -> text(message)).isEqualTo("ping!");
        container.shutdown();
        caching.destroy();
    }

    private static void answer(JmsTemplate template, Message request) {
        try {
            String text = text(request);
            template.send(request.getJMSReplyTo(), session -> session.createTextMessage(text + "!"));
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }

    private static String text(Message message) {
        try {
            return message.getBody(String.class);
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }

    private DefaultMessageListenerContainer container(String queue) {
        DefaultMessageListenerContainer container = new DefaultMessageListenerContainer();
        container.setConnectionFactory(factory);
        container.setDestinationName(queue);
        container.setSessionTransacted(true);
        container.setConcurrency("1-3");
        return container;
    }

    private static void started(DefaultMessageListenerContainer container) {
        container.afterPropertiesSet();
        container.start();
    }

    @Test
    void shouldRedeliverToAListenerContainerWhoseListenerThrows() throws Exception {
        BlockingQueue<List<Object>> seen = new LinkedBlockingQueue<>();
        DefaultMessageListenerContainer container = container("work");
        container.setConcurrency("1");
        container.setMessageListener((jakarta.jms.MessageListener) message -> {
            try {
                seen.add(List.of(
                        text(message), message.getJMSRedelivered(), message.getIntProperty("JMSXDeliveryCount")));
                if (!message.getJMSRedelivered()) {
                    throw new IllegalStateException("thrown by the test");
                }
            } catch (JMSException e) {
                throw new AssertionError(e);
            }
        });
        started(container);
        new JmsTemplate(factory).convertAndSend("work", "a");

        assertThat(seen.poll(10, TimeUnit.SECONDS)).containsExactly("a", false, 1);
        assertThat(seen.poll(10, TimeUnit.SECONDS)).containsExactly("a", true, 2);
        container.shutdown();
        JmsTemplate left = new JmsTemplate(factory);
        left.setReceiveTimeout(300);
        assertThat(left.receive("work")).isNull();
    }

    @Test
    void shouldServeAnnotatedListeners() throws Exception {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.registerBean(ConnectionFactory.class, () -> factory);
            context.register(Listening.class);
            context.refresh();
            JmsTemplate template = new JmsTemplate(factory);
            template.convertAndSend("annotated", "one");
            template.convertAndSend("annotated", "two");
            Listening listening = context.getBean(Listening.class);

            assertThat(listening.seen.poll(10, TimeUnit.SECONDS)).isNotNull();
            assertThat(listening.seen.poll(10, TimeUnit.SECONDS)).isNotNull();
            assertThat(listening.attempts).hasValueGreaterThanOrEqualTo(3);
        }
    }

    /** Throws at the first message and takes all others. */
    @Configuration
    @EnableJms
    static class Listening {
        private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        private final AtomicInteger attempts = new AtomicInteger();

        @Bean
        DefaultJmsListenerContainerFactory jmsListenerContainerFactory(ConnectionFactory factory) {
            DefaultJmsListenerContainerFactory containers = new DefaultJmsListenerContainerFactory();
            containers.setConnectionFactory(factory);
            containers.setSessionTransacted(true);
            containers.setConcurrency("1-3");
            return containers;
        }

        @JmsListener(destination = "annotated")
        void take(String text) {
            if (attempts.incrementAndGet() == 1) {
                throw new IllegalStateException("thrown by the test");
            }
            seen.add(text);
        }
    }
}
