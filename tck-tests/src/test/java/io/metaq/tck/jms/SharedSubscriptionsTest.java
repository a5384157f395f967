package io.metaq.tck.jms;

import static io.metaq.tck.jms.Jms.text;
import static io.metaq.tck.jms.Jms.texts;
import static io.metaq.tck.jms.Jms.unexpected;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

@Conformance
class SharedSubscriptionsTest {

    @Test
    @Covers(sections = "8.3.2", rules = 7)
    void shouldShareWithoutClientIdentifierOverConnections(Jms jms) throws JMSException {
        Topic topic = jms.topic();
        String name = jms.name();
        MessageConsumer one = jms.session().createSharedConsumer(topic, name);
        MessageConsumer two = jms.session().createSharedConsumer(topic, name);
        jms.send(topic, "a", "b", "c", "d");
        Set<String> got = new HashSet<>();
        got.add(text(one));
        got.add(text(two));
        got.add(text(one));
        got.add(text(two));

        assertThat(got).containsExactlyInAnyOrder("a", "b", "c", "d");
        assertThat(unexpected(one)).isNull();
        assertThat(unexpected(two)).isNull();
    }

    @Test
    @Covers(sections = "8.3.2", rules = 7)
    void shouldEndWithItsLastConsumer(Jms jms) throws JMSException {
        Topic topic = jms.topic();
        String name = jms.name();
        MessageConsumer one = jms.session().createSharedConsumer(topic, name);
        MessageConsumer two = jms.session().createSharedConsumer(topic, name);
        one.close();
        jms.send(topic, "kept");
        assertThat(text(two)).isEqualTo("kept");
        jms.send(topic, "lost");
        two.close();

        assertThat(unexpected(jms.session().createSharedConsumer(topic, name))).isNull();
    }

    @Test
    @Covers(sections = "8.3.2", rules = 7)
    void shouldRefuseAnotherTopicOrSelectorWhileInUse(Jms jms) throws JMSException {
        Topic topic = jms.topic();
        Topic other = jms.topic();
        String name = jms.name();
        Session session = jms.session();
        session.createSharedConsumer(topic, name, "n = 1");

        assertThatThrownBy(() -> session.createSharedConsumer(topic, name)).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> session.createSharedConsumer(topic, name, "n = 2"))
                .isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> session.createSharedConsumer(other, name, "n = 1"))
                .isInstanceOf(JMSException.class);
        session.createSharedConsumer(topic, name, "n = 1");
    }

    @Test
    @Covers(sections = "8.3.2", rules = 7)
    void shouldTellSubscriptionsOfDifferentClientsApart(Jms jms) throws JMSException {
        Topic topic = jms.topic();
        String name = jms.name();
        Connection client = jms.connect(jms.name());
        client.start();
        MessageConsumer ofClient = client.createSession().createSharedConsumer(topic, name);
        MessageConsumer ofNobody = jms.session().createSharedConsumer(topic, name);
        jms.send(topic, "a");

        assertThat(text(ofClient)).isEqualTo("a");
        assertThat(text(ofNobody)).isEqualTo("a");
    }

    @Test
    @Covers(
            sections = "8.3.4",
            rules = {5, 7})
    void shouldCollectForSharedDurableOnes(Jms jms) throws JMSException {
        Topic topic = jms.topic();
        String name = jms.name();
        Session session = jms.session();
        session.createSharedDurableConsumer(topic, name).close();
        jms.send(topic, "a", "b");
        MessageConsumer one = session.createSharedDurableConsumer(topic, name);
        assertThat(text(one)).isEqualTo("a");
        one.close();
        MessageConsumer two = jms.session().createSharedDurableConsumer(topic, name);
        assertThat(text(two)).isEqualTo("b");
        two.close();
        session.unsubscribe(name);
    }

    @Test
    @Covers(sections = "8.3.4", rules = 7)
    void shouldRefuseOrRenewSharedDurableOnes(Jms jms) throws JMSException {
        Topic topic = jms.topic();
        String name = jms.name();
        Session session = jms.session();
        MessageConsumer active = session.createSharedDurableConsumer(topic, name, "n = 1");
        assertThatThrownBy(() -> session.createSharedDurableConsumer(topic, name, "n = 2"))
                .isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> session.unsubscribe(name)).isInstanceOf(JMSException.class);
        active.close();

        MessageConsumer renewed = session.createSharedDurableConsumer(topic, name);
        jms.send(topic, "a");
        assertThat(text(renewed)).isEqualTo("a");
    }

    @Test
    @Covers(sections = "8.3.4", rules = 7)
    void shouldNotBeSharedAndUnsharedAtOnce(Jms jms) throws JMSException {
        Topic topic = jms.topic();
        Connection connection = jms.connect(jms.name());
        connection.start();
        Session session = connection.createSession();
        session.createDurableConsumer(topic, "unshared").close();
        session.createSharedDurableConsumer(topic, "shared").close();

        assertThatThrownBy(() -> session.createSharedDurableConsumer(topic, "unshared"))
                .isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> session.createDurableConsumer(topic, "shared")).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> session.createDurableSubscriber(topic, "shared"))
                .isInstanceOf(JMSException.class);
    }

    @Test
    @Covers(
            sections = {"8.3.2", "8.3.4"},
            rules = 7)
    void shouldKeepDurableAndNonDurableOnesOfOneNameApart(Jms jms) throws JMSException {
        Topic topic = jms.topic();
        String name = jms.name();
        Session session = jms.session();
        MessageConsumer durable = session.createSharedDurableConsumer(topic, name);
        MessageConsumer passing = session.createSharedConsumer(topic, name);
        jms.send(topic, "a", "b");

        assertThat(texts(durable, 2)).containsExactly("a", "b");
        assertThat(texts(passing, 2)).containsExactly("a", "b");
    }
}
