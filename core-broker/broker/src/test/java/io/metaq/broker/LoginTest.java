package io.metaq.broker;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.config.BrokerConfigBuilder;
import io.metaq.broker.config.Settings;
import io.metaq.broker.security.UsersFile;
import io.metaq.protocol.codec.PercentCode;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoginTest {
    private static final String REFUSED = "there is no such user, or the password is another";

    @TempDir
    private Path dir;

    @Test
    void shouldServeOnlyUsersWhereAnonymousIsNotAllowed() throws Exception {
        new UsersFile(dir.resolve("users")).put("j\u00f6rg x", "pass w\u00f6rd%".toCharArray());
        try (Broker broker = Broker.start(
                        config().set(Settings.ALLOW_ANONYMOUS, false).build());
                Talk talk = new Talk(broker.port())) {
            talk.say("version 1\r\nput t 0 2 0 2\r\nhi" + "topic list * 3\r\nget t g 0 0 100 4\r\n");
            assertThat(talk.result(1)).startsWith("200");
            assertThat(talk.result(2)).startsWith("401 log in first");
            assertThat(talk.result(3)).startsWith("401");
            assertThat(talk.result(4)).startsWith("401");

            talk.say(login("j\u00f6rg x", "falsch", 5) + "topic list * 6\r\n");
            assertThat(talk.result(5)).isEqualTo("401 " + REFUSED);
            assertThat(talk.result(6)).startsWith("401 log in first");

            talk.say(login("j\u00f6rg x", "pass w\u00f6rd%", 7) + "topic list * 8\r\n");
            assertThat(talk.result(7)).isEqualTo("200 ");
            assertThat(talk.result(8)).startsWith("200 t 1");

            talk.say(login("nobody", "", 9) + "topic list * 10\r\n");
            assertThat(talk.result(9)).startsWith("401");
            assertThat(talk.result(10)).as("still who it was").startsWith("200");
        }
    }

    /** Whoever gives a name and a password wants to know that they are right. */
    @Test
    void shouldRefuseAWrongLoginWhereNobodyNeedsOne() throws Exception {
        try (Broker broker = Broker.start(config().build());
                Talk talk = new Talk(broker.port())) {
            talk.say("topic list * 1\r\n" + login("invalid", "invalid", 2) + "topic list * 3\r\n");

            assertThat(talk.result(1)).startsWith("200 t 1");
            assertThat(talk.result(2)).isEqualTo("401 " + REFUSED);
            assertThat(talk.result(3)).startsWith("200 t 1");

            new UsersFile(dir.resolve("users")).put("new", "p".toCharArray());
            talk.say(login("new", "p", 4));
            assertThat(talk.result(4)).as("added while the broker runs").isEqualTo("200 ");
        }
    }

    private BrokerConfigBuilder config() {
        return BrokerConfig.builder()
                .dataPath(dir)
                .serverPort(0)
                .topic("t", 1)
                .set(Settings.JOURNAL_SEGMENT_SIZE, 34 << 20)
                .set(Settings.DISK_WATERMARK_BYTES, 0L);
    }

    private static String login(String user, String password, int opaque) {
        return "login " + PercentCode.encode(user) + " " + opaque + " password=" + PercentCode.encode(password)
                + "\r\n";
    }

    /** A client that writes frames by hand. */
    private static final class Talk implements AutoCloseable {
        private final Socket socket;
        private final DataInputStream in;

        Talk(int port) throws IOException {
            socket = new Socket("127.0.0.1", port);
            socket.setSoTimeout(60_000);
            in = new DataInputStream(socket.getInputStream());
        }

        void say(String frames) throws IOException {
            socket.getOutputStream().write(frames.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }

        /** Code and text. */
        String result(int opaque) throws IOException {
            StringBuilder head = new StringBuilder();
            for (int c = in.readUnsignedByte(); c != '\n'; c = in.readUnsignedByte()) {
                head.append((char) c);
            }
            String[] words = head.toString().stripTrailing().split(" ");
            assertThat(words).hasSize(4);
            assertThat(words[3]).isEqualTo(Integer.toString(opaque));
            byte[] text = new byte[Integer.parseInt(words[2])];
            in.readFully(text);
            return words[1] + " " + new String(text, US_ASCII);
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
