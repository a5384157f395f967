package io.metaq.tck.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.broker.Broker;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.security.UsersFile;
import io.metaq.jms.MetaQConnectionFactory;
import io.metaq.tck.harness.BrokerFiles;
import io.metaq.testkit.tls.TestCertificate;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.JMSSecurityRuntimeException;
import jakarta.jms.Queue;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SecurityTest {
    @TempDir
    static Path directory;

    private static TestCertificate certificate;
    private static Broker open;
    private static Broker closed;

    @BeforeAll
    static void start() throws Exception {
        Path users = directory.resolve("users");
        new UsersFile(users).put("j2ee", "j2ee".toCharArray());
        certificate = TestCertificate.make(directory, "broker");
        open = Broker.start(BrokerConfig.load(BrokerFiles.in(directory.resolve("open"))
                .set("usersFile", users)
                .set("tlsPort", 0)
                .set("tlsKeyStore", certificate.keyStore())
                .set("tlsKeyStorePassword", certificate.password())
                .write()));
        closed = Broker.start(BrokerConfig.load(BrokerFiles.in(directory.resolve("closed"))
                .set("usersFile", users)
                .set("allowAnonymous", false)
                .write()));
    }

    @AfterAll
    static void stop() {
        open.close();
        closed.close();
    }

    private static MetaQConnectionFactory factory(Broker broker, String options) {
        return new MetaQConnectionFactory("metaq://127.0.0.1:" + broker.port() + options);
    }

    @Test
    @Covers(sections = {"6.1.1", "10.3"})
    void shouldRefuseWrongUsersWhenTheConnectionIsMade() {
        for (Broker broker : new Broker[] {open, closed}) {
            MetaQConnectionFactory factory = factory(broker, "");
            assertThatThrownBy(() -> factory.createConnection("invalid", "invalid"))
                    .isInstanceOf(JMSSecurityException.class);
            assertThatThrownBy(() -> factory.createConnection("j2ee", "wrong"))
                    .isInstanceOf(JMSSecurityException.class);
            assertThatThrownBy(() -> factory.createQueueConnection("invalid", "invalid"))
                    .isInstanceOf(JMSSecurityException.class);
            assertThatThrownBy(() -> factory.createTopicConnection("invalid", "invalid"))
                    .isInstanceOf(JMSSecurityException.class);
            assertThatThrownBy(() -> factory.createContext("invalid", "invalid"))
                    .isInstanceOf(JMSSecurityRuntimeException.class);
        }
    }

    @Test
    @Covers(sections = "6.1.1")
    void shouldTakeUsersThatAreKnownAndNobodyWhereThatIsAllowed() throws JMSException {
        factory(open, "").createConnection("j2ee", "j2ee").close();
        factory(open, "").createConnection().close();
        factory(closed, "").createConnection("j2ee", "j2ee").close();
        factory(closed, "?user=j2ee&password=j2ee").createConnection().close();

        assertThatThrownBy(() -> factory(closed, "").createConnection()).isInstanceOf(JMSSecurityException.class);
    }

    @Test
    @Covers(sections = "6.1.1")
    void shouldSpeakTlsWithWhoeverTrustsTheBroker() {
        String uri = "metaqs://127.0.0.1:" + open.tlsPort();
        String trust =
                "?trustStore=" + URLEncoder.encode(certificate.trustStore().toString(), StandardCharsets.UTF_8)
                        + "&trustStorePassword=" + certificate.password();
        try (JMSContext context = new MetaQConnectionFactory(uri + trust).createContext("j2ee", "j2ee")) {
            Queue queue = context.createQueue("tls");
            context.createProducer().send(queue, "x".repeat(100_000));
            assertThat(context.createConsumer(queue).receiveBody(String.class, Jms.SOON))
                    .hasSize(100_000);
        }
        assertThatThrownBy(() -> new MetaQConnectionFactory(uri + "?requestTimeout=2000").createContext())
                .isInstanceOf(JMSRuntimeException.class);
    }
}
