package io.metaq.jms.jndi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.jms.MetaQConnectionFactory;
import io.metaq.jms.destination.MetaQQueue;
import io.metaq.jms.destination.MetaQTopic;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.QueueConnectionFactory;
import jakarta.jms.TopicConnectionFactory;
import java.util.Collections;
import java.util.Hashtable;
import javax.naming.CompositeName;
import javax.naming.ConfigurationException;
import javax.naming.Context;
import javax.naming.ContextNotEmptyException;
import javax.naming.InitialContext;
import javax.naming.InvalidNameException;
import javax.naming.NameAlreadyBoundException;
import javax.naming.NameClassPair;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import javax.naming.NotContextException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@SuppressWarnings("BanJNDI") // naming services are what this is about
class MetaQInitialContextFactoryTest {

    private static Context context(String... properties) throws NamingException {
        Hashtable<String, String> environment = new Hashtable<>();
        environment.put(Context.INITIAL_CONTEXT_FACTORY, MetaQInitialContextFactory.class.getName());
        for (int i = 0; i < properties.length; i += 2) {
            environment.put(properties[i], properties[i + 1]);
        }
        return new InitialContext(environment);
    }

    @Test
    void shouldMakeWhatThePropertiesSay() throws NamingException {
        Context context = context(
                Context.PROVIDER_URL,
                "metaq://here:1",
                "connectionFactory.Plain",
                "",
                "connectionFactory.DURABLE_SUB_CONNECTION_FACTORY",
                "?clientId=cts",
                "connectionFactory.jms/Far",
                "metaqs://far:2",
                "queue.MY_QUEUE",
                "my queue",
                "topic.jms/MY_TOPIC",
                "my.topic",
                "queue.with.dots",
                "dotted");

        assertThat(context.lookup("Plain")).isEqualTo(new MetaQConnectionFactory("metaq://here:1"));
        assertThat(context.lookup("DURABLE_SUB_CONNECTION_FACTORY"))
                .isEqualTo(new MetaQConnectionFactory("metaq://here:1?clientId=cts"));
        assertThat(context.lookup("jms/Far")).isEqualTo(new MetaQConnectionFactory("metaqs://far:2"));
        assertThat(context.lookup("MY_QUEUE")).isEqualTo(new MetaQQueue("my queue"));
        assertThat(context.lookup(new CompositeName("jms/MY_TOPIC"))).isEqualTo(new MetaQTopic("my.topic"));
        assertThat(context.lookup("with.dots")).isEqualTo(new MetaQQueue("dotted"));
    }

    @Test
    void shouldServeEveryKindOfFactoryByOneObject() throws NamingException {
        assertThat(context().lookup("ConnectionFactory"))
                .isInstanceOf(ConnectionFactory.class)
                .isInstanceOf(QueueConnectionFactory.class)
                .isInstanceOf(TopicConnectionFactory.class)
                .isEqualTo(new MetaQConnectionFactory());
    }

    @Test
    void shouldMakeDestinationsWhenAskedForThem() throws NamingException {
        assertThat(context().lookup("dynamicQueues/a/b")).isEqualTo(new MetaQQueue("a/b"));
        assertThat(context().lookup("dynamicTopics/c.d")).isEqualTo(new MetaQTopic("c.d"));
        assertThatThrownBy(() -> context().lookup("dynamicQueues")).isInstanceOf(InvalidNameException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "java.naming.provider.url, tcp://here:1",
        "connectionFactory.X, metaq://here:1?clientIdd=a",
        "connectionFactory., metaq://here:1",
        "queue.X, ''"
    })
    void shouldNameThePropertyThatIsWrong(String key, String value) {
        assertThatThrownBy(() -> context(key, value))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(key);
    }

    @Test
    void shouldGiveTheNearestNameForOneThatIsNotBound() throws NamingException {
        Context context = context("queue.jms/Orders", "orders", "topic.jms/Prices", "prices");

        assertThatThrownBy(() -> context.lookup("jms/Order"))
                .isInstanceOf(NameNotFoundException.class)
                .hasMessage("jms/Order is not bound; did you mean Orders?");
    }

    @Test
    void shouldListNamesAndObjects() throws NamingException {
        Context context = context("queue.jms/Orders", "orders", "queue.Q", "q");

        assertThat(Collections.list(context.list("")))
                .extracting(NameClassPair::getName)
                .containsExactly("ConnectionFactory", "Q", "XAConnectionFactory", "jms");
        assertThat(Collections.list(context.listBindings("jms")))
                .singleElement()
                .satisfies(binding -> {
                    assertThat(binding.getName()).isEqualTo("Orders");
                    assertThat(binding.getClassName()).isEqualTo(MetaQQueue.class.getName());
                    assertThat(binding.getObject()).isEqualTo(new MetaQQueue("orders"));
                });
        assertThatThrownBy(() -> context.list("Q")).isInstanceOf(NotContextException.class);
    }

    @Test
    void shouldBindRebindRenameAndUnbind() throws NamingException {
        Context context = context();

        context.bind("mine", new MetaQQueue("one"));
        assertThatThrownBy(() -> context.bind("mine", "other")).isInstanceOf(NameAlreadyBoundException.class);
        assertThat(context.lookup("mine")).isEqualTo(new MetaQQueue("one"));
        context.rebind("mine", "text");
        context.rename("mine", "yours");
        assertThat(context.lookup("yours")).isEqualTo("text");
        context.unbind("yours");
        context.unbind("yours");
        assertThatThrownBy(() -> context.lookup("yours")).isInstanceOf(NameNotFoundException.class);
    }

    @Test
    void shouldKeepSubcontexts() throws NamingException {
        Context context = context();

        Context sub = context.createSubcontext("sub");
        sub.bind("factory", new MetaQConnectionFactory("metaq://here:1"));
        assertThat(sub.getNameInNamespace()).isEqualTo("sub");
        assertThat(context.lookup("sub/factory")).isEqualTo(new MetaQConnectionFactory("metaq://here:1"));
        assertThat(((Context) context.lookup("sub")).lookup("factory")).isNotNull();
        assertThatThrownBy(() -> context.destroySubcontext("sub")).isInstanceOf(ContextNotEmptyException.class);
        sub.unbind("factory");
        context.destroySubcontext("sub");
        assertThatThrownBy(() -> context.lookup("sub")).isInstanceOf(NameNotFoundException.class);
    }

    @Test
    void shouldGiveAnotherContextOfTheSameNamesForTheEmptyName() throws NamingException {
        Context context = context();
        Context same = (Context) context.lookup("");

        same.bind("x", "y");
        same.close();
        assertThat(context.lookup("x")).isEqualTo("y");
        assertThat(same.composeName("a/b", "c")).isEqualTo("c/a/b");
        assertThat(context.getEnvironment().get(Context.INITIAL_CONTEXT_FACTORY))
                .isNotNull();
    }
}
