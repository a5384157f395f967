package io.metaq.tck.languages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.metaq.broker.Broker;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.zookeeper.EmbeddedZooKeeper;
import io.metaq.client.Consumer;
import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqClientBuilder;
import io.metaq.client.Producer;
import io.metaq.client.Start;
import io.metaq.client.TlsSettings;
import io.metaq.tck.harness.BrokerFiles;
import io.metaq.testkit.tls.TestCertificate;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A client that speaks TLS and knows one broker of several in one ZooKeeper reaches the whole of a topic by TLS. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EncryptedRoutesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String TOPIC = "wide";
    private static final int SENDS = 40;

    @TempDir
    static Path directory;

    private static TestCertificate certificate;
    private static EmbeddedZooKeeper zooKeeper;
    private static Broker first;
    private static Broker second;
    private static Broker plain;

    @BeforeAll
    static void start() throws Exception {
        certificate = TestCertificate.make(directory, "cluster");
        Files.writeString(directory.resolve("cluster.pem"), certificate.pem());
        zooKeeper = EmbeddedZooKeeper.start(
                directory.resolve("zk"), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        first = broker(1, true);
        second = broker(2, true);
        plain = broker(3, false);
    }

    @AfterAll
    static void stop() {
        first.close();
        second.close();
        plain.close();
        zooKeeper.close();
    }

    private static Broker broker(int id, boolean encrypts) throws Exception {
        BrokerFiles files = BrokerFiles.in(directory.resolve("broker" + id))
                .set("brokerId", id)
                .set("hostName", "localhost")
                .osTopic(TOPIC, 2)
                .zookeeper(zooKeeper.connectString());
        if (encrypts) {
            files.set("tlsPort", 0)
                    .set("tlsKeyStore", certificate.keyStore())
                    .set("tlsKeyStorePassword", certificate.password());
        }
        return Broker.start(BrokerConfig.load(files.write()));
    }

    private static TlsSettings tls() {
        return new TlsSettings(certificate.trustStore(), certificate.password(), null, null, true);
    }

    @Test
    void shouldReachAllThatHaveAPortForItByOne() throws Exception {
        sendAndRead(MetaqClient.builder().servers("localhost:" + first.tlsPort()));
    }

    @Test
    void shouldReachAllThatHaveAPortForItByZooKeeper() throws Exception {
        sendAndRead(MetaqClient.builder().zookeeper(zooKeeper.connectString()));
    }

    private static void sendAndRead(MetaqClientBuilder builder) throws Exception {
        Set<Integer> written = new TreeSet<>();
        Set<Integer> read = new ConcurrentSkipListSet<>();
        try (MetaqClient client = builder.tls(tls()).build();
                Producer producer = client.producer().build();
                Consumer consumer = client.consumer("readers")
                        .startAt(Start.first())
                        .subscribe(
                                TOPIC, message -> read.add(message.partition().broker()))
                        .start()) {
            for (int i = 0; i < SENDS; i++) {
                written.add(producer.send(Message.of(TOPIC, new byte[] {'x'}))
                        .partition()
                        .broker());
            }
            assertThat(written).containsExactly(1, 2);
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(read).containsExactly(1, 2));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldReachThemInEachLanguage(Language language) throws Exception {
        assumeTrue(language.isInstalled(), language.absence());
        String program = switch (language) {
            case PYTHON -> """
                import sys, metaq
                with metaq.connect(sys.argv[1], tls=metaq.tls_context(sys.argv[2])) as client:
                    producer = client.producer()
                    sent = {producer.send("wide", b"x").broker for _ in range(40)}
                    read = {message.broker for message in client.browse("wide")}
                    print(sorted(sent), sorted(read))
                """;
            case RUBY -> """
                require 'metaq'
                Metaq::Client.open(ARGV[0], tls: { ca_file: ARGV[1] }) do |client|
                  producer = client.producer('wide')
                  sent = Array.new(40) { producer.send('x').broker_id }
                  read = client.browse('wide').map(&:broker_id)
                  puts [sent, read].map { |ids| ids.uniq.sort.to_s }.join(' ')
                end
                """;
        };
        assertThat(language.run(
                        program,
                        "localhost:" + first.tlsPort(),
                        directory.resolve("cluster.pem").toString()))
                .isEqualTo("[1, 2] [1, 2]");
    }
}
