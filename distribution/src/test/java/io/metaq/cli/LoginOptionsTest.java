package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.Broker;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.config.Settings;
import io.metaq.broker.security.UsersFile;
import io.metaq.testkit.tls.TestCertificate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands to a broker that serves its users only, over TLS. */
class LoginOptionsTest {
    @TempDir
    private static Path dir;

    private static TestCertificate certificate;
    private static Broker broker;

    @BeforeAll
    static void startBroker() throws Exception {
        certificate = TestCertificate.make(dir, "broker");
        new UsersFile(dir.resolve("data").resolve("users")).put("anna", "ge heim".toCharArray());
        broker = Broker.start(BrokerConfig.builder()
                .dataPath(dir.resolve("data"))
                .serverPort(0)
                .topic("t", 1)
                .set(Settings.JOURNAL_SEGMENT_SIZE, 34 << 20)
                .set(Settings.DISK_WATERMARK_BYTES, 0L)
                .set(Settings.ALLOW_ANONYMOUS, false)
                .set(Settings.TLS_PORT, 0)
                .set(Settings.TLS_KEY_STORE, certificate.keyStore().toString())
                .set(Settings.TLS_KEY_STORE_PASSWORD, certificate.password())
                .build());
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @Test
    void shouldLogIn() throws Exception {
        Path file = Files.writeString(dir.resolve("password"), "ge heim\nnot this\n");

        CommandRun byOption = plain("topic", "list", "--user", "anna", "--password", "ge heim");
        CommandRun byFile = plain("topic", "list", "--user", "anna", "--password-file", file.toString());

        assertThat(byOption.err()).isEmpty();
        assertThat(byOption.out()).isEqualToIgnoringNewLines("t 1");
        assertThat(byFile.out()).isEqualToIgnoringNewLines("t 1");
    }

    @Test
    void shouldSayThatALoginIsWrongOrMissing() {
        CommandRun wrong = plain("topic", "list", "--user", "anna", "--password", "falsch");
        CommandRun none = plain("topic", "list");
        CommandRun noPassword = plain("topic", "list", "--user", "anna");
        CommandRun noUser = plain("topic", "list", "--password", "x");

        assertThat(wrong.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(wrong.err()).startsWith("metaq: ").contains("password").doesNotContain("falsch", "\tat ");
        assertThat(none.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(none.err())
                .startsWith("metaq: ")
                .contains("asks for a user and a password", "log in by --user NAME --password-file FILE");
        assertThat(noPassword.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(noUser.exitCode()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void shouldSpeakTls() {
        CommandRun trusted = tls(certificate.trustStore());
        CommandRun untrusted = tls(null);

        assertThat(trusted.err()).isEmpty();
        assertThat(trusted.out()).isEqualToIgnoringNewLines("t 1");
        assertThat(untrusted.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(untrusted.err()).startsWith("metaq: ").contains("certif").doesNotContain("\tat ");
    }

    private static CommandRun tls(@Nullable Path trustStore) {
        List<String> command = new ArrayList<>(List.of(
                "topic",
                "list",
                "--tls",
                "--user",
                "anna",
                "--password",
                "ge heim",
                "--server",
                "127.0.0.1:" + broker.tlsPort()));
        if (trustStore != null) {
            command.addAll(
                    List.of("--trust-store", trustStore.toString(), "--trust-store-password", certificate.password()));
        }
        return CommandRun.of(command.toArray(String[]::new));
    }

    private static CommandRun plain(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--server", "127.0.0.1:" + broker.port()));
        return CommandRun.of(all.toArray(String[]::new));
    }
}
