package io.metaq.tck.jms;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.jms.MetaQConnectionFactory;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.Topic;
import java.io.Serializable;
import java.util.Hashtable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.naming.Referenceable;
import org.junit.jupiter.api.Test;

@Conformance
@SuppressWarnings("BanJNDI") // administered objects are found by JNDI
class AdministeredObjectsTest {

    private static Context context(Jms jms, String queue) throws NamingException {
        Hashtable<String, String> environment = new Hashtable<>();
        environment.put(Context.INITIAL_CONTEXT_FACTORY, "io.metaq.jms.jndi.MetaQInitialContextFactory");
        environment.put(Context.PROVIDER_URL, jms.uri());
        environment.put("connectionFactory.MyConnectionFactory", "");
        environment.put("queue.MY_QUEUE", queue);
        return new InitialContext(environment);
    }

    @Test
    @Covers(sections = {"5.1", "5.2", "5.3"})
    void shouldFindFactoriesAndDestinationsByName(Jms jms) throws NamingException {
        String name = jms.name();
        Context context = context(jms, name);
        ConnectionFactory factory = (ConnectionFactory) context.lookup("MyConnectionFactory");
        Queue queue = (Queue) context.lookup("MY_QUEUE");
        context.close();
        try (JMSContext jmsContext = factory.createContext()) {
            jmsContext.createProducer().send(queue, "x");
            assertThat(jmsContext.createConsumer(jmsContext.createQueue(name)).receiveBody(String.class, Jms.SOON))
                    .isEqualTo("x");
        }
    }

    @Test
    @Covers(sections = "5.1")
    void shouldBeFitForEveryNamingService(Jms jms) throws JMSException {
        Topic topic = jms.topic();

        assertThat(new MetaQConnectionFactory())
                .isInstanceOf(Referenceable.class)
                .isInstanceOf(Serializable.class);
        assertThat(topic).isInstanceOf(Referenceable.class).isInstanceOf(Serializable.class);
        assertThat(jms.queue()).isInstanceOf(Referenceable.class).isInstanceOf(Serializable.class);
    }

    @Test
    @Covers(sections = {"5.3", "6.2.3"})
    void shouldBeUsedByManyThreads(Jms jms) throws Exception {
        ConnectionFactory factory = jms.factory();
        Queue queue = jms.queue();
        CompletableFuture<?>[] senders = new CompletableFuture<?>[4];
        for (int i = 0; i < senders.length; i++) {
            senders[i] = CompletableFuture.runAsync(() -> {
                for (int j = 0; j < 10; j++) {
                    try (JMSContext context = factory.createContext()) {
                        context.createProducer().send(queue, "x");
                    }
                }
            });
        }
        CompletableFuture.allOf(senders).get(30, TimeUnit.SECONDS);

        assertThat(Jms.texts(jms.session().createConsumer(queue), 40)).hasSize(40);
    }
}
