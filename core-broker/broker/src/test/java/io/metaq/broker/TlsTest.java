package io.metaq.broker;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.config.BrokerConfigBuilder;
import io.metaq.broker.config.Settings;
import io.metaq.testkit.tls.TestCertificate;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The text protocol over TLS, spoken by the JDK's sockets. */
class TlsTest {
    private static final int BIG = 10 << 20;
    private static final int HEADER = 20;

    @TempDir
    private static Path dir;

    private static TestCertificate brokers;
    private static TestCertificate other;
    private static Broker broker;

    @BeforeAll
    static void start() throws Exception {
        brokers = TestCertificate.make(dir, "broker");
        other = TestCertificate.make(dir, "other");
        broker = Broker.start(
                config("data").set(Settings.MAX_TRANSFER_SIZE, 16 << 20).build());
    }

    private static BrokerConfigBuilder config(String data) {
        return BrokerConfig.builder()
                .dataPath(dir.resolve(data))
                .serverPort(0)
                .topic("t", 1)
                .set(Settings.JOURNAL_SEGMENT_SIZE, 40 << 20)
                .set(Settings.DISK_WATERMARK_BYTES, 0L)
                .set(Settings.UNFLUSH_THRESHOLD, 1)
                .set(Settings.TLS_PORT, 0)
                .set(Settings.TLS_KEY_STORE, brokers.keyStore().toString())
                .set(Settings.TLS_KEY_STORE_PASSWORD, brokers.password());
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    /** Replies asked for behind a large value must not get into the middle of it. */
    @Test
    void shouldServeWhatItServesWithoutTls() throws IOException {
        byte[] big = new byte[BIG];
        new Random(1).nextBytes(big);
        try (Talk talk = new Talk(brokers.trustingContext(), broker.tlsPort())) {
            talk.say("version 1\r\nstats  2\r\nput t 0 5 0 3\r\n");
            talk.say("hello".getBytes(US_ASCII));
            assertThat(talk.result(1)).isNotEmpty();
            assertThat(talk.result(2)).contains("pid ");
            assertThat(talk.result(3)).endsWith(" 0 0");
            talk.say("put t 0 " + BIG + " 0 4\r\n");
            talk.say(big);
            assertThat(talk.result(4)).endsWith(" 0 25");

            talk.say("get t g 0 25 12000000 5\r\noffset t g 0 3 6\r\nget t g 0 25 12000000 7\r\nget t g 0 0 25 8\r\n");

            assertThat(talk.value(5)).endsWith(big).hasSize(BIG + HEADER);
            assertThat(talk.result(6)).isNotEmpty();
            assertThat(talk.value(7)).endsWith(big).hasSize(BIG + HEADER);
            assertThat(talk.value(8)).endsWith("hello".getBytes(US_ASCII)).hasSize(25);
        }
    }

    @Test
    void shouldServeHttpByTlsWhereAskedTo() throws Exception {
        BrokerConfigBuilder config = config("https").set(Settings.ADMIN_PORT, 0).set(Settings.ADMIN_TLS, true);
        try (Broker https = Broker.start(config.build());
                Socket socket =
                        brokers.trustingContext().getSocketFactory().createSocket("127.0.0.1", https.adminPort())) {
            socket.setSoTimeout(60_000);
            String request = " HTTP/1.1\r\nHost: 127.0.0.1\r\n";
            socket.getOutputStream()
                    .write(("GET /v1/topics" + request + "\r\nGET /health" + request + "Connection: close\r\n\r\n")
                            .getBytes(US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), US_ASCII))
                    .startsWith("HTTP/1.1 200 OK")
                    .contains("{\"name\":\"t\",\"partitionCount\":1}")
                    .contains("\"status\":\"up\"");
        }
    }

    @Test
    void shouldBeRefusedByWhoTrustsAnother() {
        assertThatThrownBy(() -> new Talk(other.trustingContext(), broker.tlsPort()))
                .isInstanceOf(SSLException.class);
    }

    @Test
    void shouldGoOnServingAfterOneWhoSpeaksNoTls() throws IOException {
        try (Socket plain = new Socket("127.0.0.1", broker.tlsPort())) {
            plain.setSoTimeout(20_000);
            plain.getOutputStream().write("version 1\r\n".getBytes(US_ASCII));
            byte[] answer = plain.getInputStream().readAllBytes();
            assertThat(new String(answer, StandardCharsets.ISO_8859_1)).doesNotContain("result");
        }
        try (Talk talk = new Talk(brokers.trustingContext(), broker.tlsPort())) {
            talk.say("version 1\r\n");
            assertThat(talk.line()).startsWith("result 200");
        }
    }

    @Test
    void shouldServeThoseAloneWhoseCertificateItTrusts() throws Exception {
        Path passwordFile = Files.writeString(dir.resolve("password"), other.password() + "\n");
        BrokerConfig mutual = config("mutual")
                .set(Settings.TLS_CLIENT_AUTH, "need")
                .set(Settings.TLS_TRUST_STORE, other.trustStore().toString())
                .set(Settings.TLS_TRUST_STORE_PASSWORD, "file:" + passwordFile)
                .build();
        try (Broker strict = Broker.start(mutual)) {
            try (Talk talk = new Talk(brokers.trustingContext(other), strict.tlsPort())) {
                talk.say("version 1\r\n");
                assertThat(talk.line()).startsWith("result 200");
            }
            assertThatThrownBy(() -> {
                        try (Talk talk = new Talk(brokers.trustingContext(), strict.tlsPort())) {
                            talk.say("version 1\r\n");
                            talk.line();
                        }
                    })
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void shouldSayWhichKeyStoreCannotBeUsed() throws Exception {
        BrokerConfig wrongPassword =
                config("wrong").set(Settings.TLS_KEY_STORE_PASSWORD, "geheim").build();
        BrokerConfig nowhere =
                config("wrong").set(Settings.TLS_KEY_STORE, dir + "/nowhere").build();

        assertThatThrownBy(() -> Broker.start(wrongPassword).close())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("tlsKeyStore=" + brokers.keyStore())
                .hasMessageNotContaining("geheim");
        assertThatThrownBy(() -> Broker.start(nowhere).close())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("tlsKeyStore=" + dir + "/nowhere");
    }

    /** A client that writes frames by hand. */
    private static final class Talk implements AutoCloseable {
        private final SSLSocket socket;
        private final DataInputStream in;
        private final OutputStream out;

        Talk(SSLContext context, int port) throws IOException {
            socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port);
            socket.setSoTimeout(60_000);
            socket.startHandshake();
            in = new DataInputStream(new java.io.BufferedInputStream(socket.getInputStream()));
            out = socket.getOutputStream();
        }

        void say(String frame) throws IOException {
            say(frame.getBytes(US_ASCII));
        }

        void say(byte[] bytes) throws IOException {
            out.write(bytes);
            out.flush();
        }

        String line() throws IOException {
            StringBuilder line = new StringBuilder();
            for (int c = in.read(); c != '\n'; c = in.read()) {
                if (c < 0) {
                    throw new IOException("closed after '" + line + "'");
                }
                line.append((char) c);
            }
            return line.toString().stripTrailing();
        }

        /** The text of a result of 200. */
        String result(int opaque) throws IOException {
            String[] head = line().split(" ");
            assertThat(Arrays.asList(head)).startsWith("result").contains("200").endsWith(Integer.toString(opaque));
            return new String(bytes(Integer.parseInt(head[2])), US_ASCII);
        }

        byte[] value(int opaque) throws IOException {
            String[] head = line().split(" ");
            assertThat(Arrays.asList(head)).startsWith("value").endsWith(Integer.toString(opaque));
            return bytes(Integer.parseInt(head[1]));
        }

        private byte[] bytes(int count) throws IOException {
            byte[] bytes = new byte[count];
            in.readFully(bytes);
            return bytes;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
