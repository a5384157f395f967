package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.config.Settings;
import io.metaq.broker.security.UsersFile;
import io.metaq.testkit.tls.TestCertificate;
import io.metaq.testkit.vector.VectorFile;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the protocol document says one can type does what it says: each dialogue is held, in the order of the document. */
class DocumentExamplesTest {
    @TempDir
    static Path dir;

    private static TestCertificate certificate;
    private static Broker broker;

    @BeforeAll
    static void start() throws Exception {
        certificate = TestCertificate.make(dir, "broker");
        new UsersFile(dir.resolve("data").resolve("users")).put("anna", "secret word".toCharArray());
        broker = Broker.start(BrokerConfig.builder()
                .dataPath(dir.resolve("data"))
                .serverPort(0)
                .set(Settings.BROKER_ID, 7)
                .set(Settings.DISK_WATERMARK_BYTES, 0L)
                .set(Settings.TLS_PORT, 0)
                .set(Settings.TLS_KEY_STORE, certificate.keyStore().toString())
                .set(Settings.TLS_KEY_STORE_PASSWORD, certificate.password())
                .build());
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    static List<DocumentDialogue> dialogues() throws IOException {
        Path document = VectorFile.repositoryDirectory().resolveSibling("PROTOCOL.md");
        List<DocumentDialogue> dialogues = DocumentDialogue.in(Files.readString(document));
        assertThat(dialogues).hasSizeGreaterThan(25);
        assertThat(dialogues.get(0).text()).startsWith("$ nc ");
        return dialogues;
    }

    @ParameterizedTest
    @MethodSource("dialogues")
    void shouldAnswerWhatIsTypedAsTheDocumentSays(DocumentDialogue dialogue) throws IOException {
        try (Socket socket = dialogue.encrypted()
                ? certificate.trustingContext().getSocketFactory().createSocket("localhost", broker.tlsPort())
                : new Socket("127.0.0.1", broker.port())) {
            dialogue.hold(socket);
        }
    }
}
