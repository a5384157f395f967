package io.metaq.jms.jndi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.jms.MetaQConnectionFactory;
import io.metaq.jms.destination.MetaQQueue;
import io.metaq.jms.destination.MetaQTemporaryQueue;
import io.metaq.jms.destination.MetaQTopic;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Hashtable;
import java.util.stream.Stream;
import javax.naming.CompositeName;
import javax.naming.Context;
import javax.naming.NamingException;
import javax.naming.Referenceable;
import javax.naming.StringRefAddr;
import javax.naming.spi.NamingManager;
import org.apache.naming.NamingContext;
import org.apache.naming.ResourceRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Factories and destinations in naming services that know nothing of MetaQ. */
@SuppressWarnings("BanJNDI") // naming services are what this is about
class OtherNamingServicesTest {

    static Stream<Referenceable> objects() {
        return Stream.of(
                new MetaQConnectionFactory(),
                new MetaQConnectionFactory("metaqs://one:1,two:2?clientId=%26&password=p%3Dq"),
                new MetaQQueue("a queue"),
                new MetaQTopic("a.topic"));
    }

    @ParameterizedTest
    @MethodSource("objects")
    void shouldComeBackEqualFromTheNamingOfTheJdk(Referenceable object) throws Exception {
        Object back =
                NamingManager.getObjectInstance(object.getReference(), new CompositeName("x"), null, new Hashtable<>());

        assertThat(back).isEqualTo(object).hasSameHashCodeAs(object);
    }

    @ParameterizedTest
    @MethodSource("objects")
    void shouldComeBackEqualFromTomcat(Referenceable object) throws NamingException {
        Context tomcat = tomcat();
        tomcat.createSubcontext("jms");
        tomcat.bind("jms/it", object.getReference());

        assertThat(tomcat.lookup("jms/it")).isEqualTo(object);
    }

    @ParameterizedTest
    @MethodSource("objects")
    void shouldComeBackEqualFromBytes(Referenceable object) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new ObjectOutputStream(bytes).writeObject(object);

        assertThat(new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject())
                .isEqualTo(object);
    }

    @Test
    void shouldBeMadeOfTheResourceElementsOfTomcat() throws NamingException {
        Context tomcat = tomcat();
        tomcat.bind("CF", resource("io.metaq.jms.MetaQConnectionFactory", "uri", "metaq://here:1", "clientId", "me"));
        tomcat.bind("JCF", resource("jakarta.jms.ConnectionFactory", "uri", "metaq://here:1?clientId=me"));
        tomcat.bind("Q", resource("jakarta.jms.Queue", "physicalName", "orders"));
        tomcat.bind("T", resource("jakarta.jms.Topic", "physicalName", "prices"));

        assertThat(tomcat.lookup("CF"))
                .isEqualTo(tomcat.lookup("JCF"))
                .isEqualTo(new MetaQConnectionFactory("metaq://here:1?clientId=me"));
        assertThat(tomcat.lookup("Q")).isEqualTo(new MetaQQueue("orders"));
        assertThat(tomcat.lookup("T")).isEqualTo(new MetaQTopic("prices"));
    }

    @Test
    void shouldRefuseAttributesThatNobodyKnows() throws NamingException {
        Context tomcat = tomcat();
        tomcat.bind("CF", resource("jakarta.jms.ConnectionFactory", "url", "metaq://here:1"));
        tomcat.bind("Q", resource("jakarta.jms.Queue", "address", "orders"));

        assertThatThrownBy(() -> tomcat.lookup("CF"))
                .isInstanceOf(NamingException.class)
                .hasStackTraceContaining("unknown attribute url; did you mean uri?");
        assertThatThrownBy(() -> tomcat.lookup("Q"))
                .isInstanceOf(NamingException.class)
                .hasStackTraceContaining("did you mean physicalName?");
    }

    @Test
    void shouldLeaveToOthersWhatIsTheirs() throws NamingException {
        var factory = new MetaQObjectFactory();

        assertThat(factory.getObjectInstance("text", null, null, null)).isNull();
        assertThat(factory.getObjectInstance(
                        new ResourceRef("java.lang.String", null, null, null, false), null, null, null))
                .isNull();
    }

    @Test
    void shouldNotBindWhatGoesWithItsConnection() {
        assertThatThrownBy(() -> new MetaQTemporaryQueue("temp:1", null).getReference())
                .isInstanceOf(NamingException.class)
                .hasMessageContaining("temporary");
    }

    private static Context tomcat() {
        return new NamingContext(new Hashtable<>(), "test");
    }

    /** As Tomcat makes it of {@code <Resource type=... factory=... .../>}. */
    private static ResourceRef resource(String type, String... attributes) {
        var reference =
                new ResourceRef(type, null, "Shareable", "Container", true, MetaQObjectFactory.class.getName(), null);
        for (int i = 0; i < attributes.length; i += 2) {
            reference.add(new StringRefAddr(attributes[i], attributes[i + 1]));
        }
        return reference;
    }
}
