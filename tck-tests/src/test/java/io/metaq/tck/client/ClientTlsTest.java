package io.metaq.tck.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.broker.Broker;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.security.UsersFile;
import io.metaq.client.BrokerUnavailableException;
import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqClientBuilder;
import io.metaq.client.Producer;
import io.metaq.client.TlsSettings;
import io.metaq.client.TopicBrowser;
import io.metaq.client.TopicPartition;
import io.metaq.client.UnauthorizedException;
import io.metaq.client.subscription.Delivery;
import io.metaq.client.subscription.SubscriberLink;
import io.metaq.tck.harness.BrokerFiles;
import io.metaq.testkit.tls.TestCertificate;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The client encrypted and logged in. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClientTlsTest {

    @TempDir
    static Path directory;

    private static TestCertificate certificate;
    private static TestCertificate other;
    private static Broker broker;

    @BeforeAll
    static void start() throws Exception {
        certificate = TestCertificate.make(directory, "broker");
        other = TestCertificate.make(directory, "other");
        Path users = directory.resolve("users");
        new UsersFile(users).put("anna", "secret".toCharArray());
        broker = Broker.start(BrokerConfig.load(BrokerFiles.in(directory.resolve("broker"))
                .osTopic("t", 1)
                .set("usersFile", users)
                .set("allowAnonymous", false)
                .set("tlsPort", 0)
                .set("tlsKeyStore", certificate.keyStore())
                .set("tlsKeyStorePassword", certificate.password())
                .write()));
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    private static MetaqClientBuilder builder(String host, TestCertificate trusted, boolean verifyHost) {
        return MetaqClient.builder()
                .servers(host + ":" + broker.tlsPort())
                .user("anna", "secret")
                .tls(new TlsSettings(trusted.trustStore(), trusted.password(), null, null, verifyHost));
    }

    /** Large enough that a body is collected from many records of TLS. */
    @Test
    void shouldSendAndReadLargeMessagesEncrypted() {
        List<byte[]> sent = new ArrayList<>();
        List<byte[]> read = new ArrayList<>();
        Random random = new Random(7);
        try (MetaqClient client = builder("127.0.0.1", certificate, true).build();
                Producer producer = client.producer().build()) {
            for (int size : new int[] {1, 1_000, 100_000, 1_500_000, 10}) {
                byte[] data = new byte[size];
                random.nextBytes(data);
                sent.add(data);
                producer.send(Message.of("t", data));
            }
            try (TopicBrowser browser = client.browse("t")) {
                browser.forEachRemaining(message -> read.add(message.data()));
            }
        }
        assertThat(read).containsExactlyElementsOf(sent);
    }

    @Test
    void shouldBeDeliveredLargeMessagesEncrypted() throws Exception {
        Random random = new Random(8);
        List<byte[]> sent = new ArrayList<>();
        try (MetaqClient client = builder("127.0.0.1", certificate, true).build();
                SubscriberLink link = client.subscriber(SubscriberWithBrokerTest.silent());
                Producer producer = client.producer().build()) {
            link.ensureDestination("q", true).get(30, TimeUnit.SECONDS);
            Inbox inbox = Inbox.onQueue(link, "q");
            for (int size : new int[] {1, 1_000, 100_000, 1_500_000, 10, 1_000_000}) {
                byte[] data = new byte[size];
                random.nextBytes(data);
                sent.add(data);
                producer.send(Message.of("q", data).to(new TopicPartition("q", link.brokerId(), 0)));
            }
            List<Delivery> all = inbox.drain(100);
            assertThat(all).extracting(Delivery::body).containsExactlyElementsOf(sent);
            assertThat(inbox.consumer().acknowledgeAndWait(Inbox.ranges(all)).get(30, TimeUnit.SECONDS))
                    .isZero();
        }
    }

    @Test
    void shouldNotTalkToABrokerThatItDoesNotTrust() {
        try (MetaqClient client = builder("127.0.0.1", other, true).build();
                Producer producer =
                        client.producer().timeout(Duration.ofSeconds(2)).build()) {
            assertThatThrownBy(() -> producer.send(Message.of("t")))
                    .isInstanceOf(BrokerUnavailableException.class)
                    .hasMessageContaining("certif");
        }
    }

    @Test
    void shouldNotTalkToABrokerOfAnotherNameUnlessTold() {
        try (MetaqClient client = builder("127.0.0.2", certificate, true).build();
                Producer producer =
                        client.producer().timeout(Duration.ofSeconds(2)).build()) {
            assertThatThrownBy(() -> producer.send(Message.of("t"))).isInstanceOf(BrokerUnavailableException.class);
        }
        try (MetaqClient client = builder("127.0.0.2", certificate, false).build();
                Producer producer = client.producer().build()) {
            assertThat(producer.send(Message.of("t")).offset()).isNotNegative();
        }
    }

    @Test
    void shouldSayAtOnceThatAUserIsNotLetIn() {
        for (String[] user : new String[][] {{"anna", "wrong"}, {"berta", "secret"}}) {
            try (MetaqClient client = builder("127.0.0.1", certificate, true)
                            .user(user[0], user[1])
                            .build();
                    Producer producer =
                            client.producer().timeout(Duration.ofMinutes(10)).build()) {
                assertThatThrownBy(() -> producer.send(Message.of("t")))
                        .isInstanceOf(UnauthorizedException.class)
                        .hasMessageNotContaining(user[1]);
            }
        }
    }

    @Test
    void shouldSayAtOnceThatAUserIsNeeded() {
        try (MetaqClient client = MetaqClient.builder()
                        .servers("127.0.0.1:" + broker.port())
                        .build();
                Producer producer =
                        client.producer().timeout(Duration.ofMinutes(10)).build()) {
            assertThatThrownBy(() -> producer.send(Message.of("t"))).isInstanceOf(UnauthorizedException.class);
        }
    }

    @Test
    void shouldNameAKeyStoreThatCannotBeRead() {
        Path nowhere = directory.resolve("nowhere.p12");
        assertThatThrownBy(() -> MetaqClient.builder()
                        .servers("127.0.0.1")
                        .tls(TlsSettings.trusting(nowhere, "x"))
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nowhere.p12");
        assertThat(TlsSettings.trusting(nowhere, "x-secret")).asString().doesNotContain("x-secret");
    }
}
