package io.metaq.cli;

import io.metaq.client.MetaqClientBuilder;
import io.metaq.client.TlsSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Who a command is to the brokers, and whether others may listen. */
final class LoginOptions {
    @Option(
            names = "--user",
            paramLabel = "NAME",
            description = "Logs in. Default: the environment's METAQ_USER, else nobody.")
    private @Nullable String user;

    @Option(
            names = "--password",
            paramLabel = "PASSWORD",
            description =
                    "Of the user; others of this machine may see it while the command runs. Default: METAQ_PASSWORD.")
    private @Nullable String password;

    @Option(names = "--password-file", paramLabel = "FILE", description = "A file whose first line is the password.")
    private @Nullable Path passwordFile;

    @Option(names = "--tls", description = "Speaks TLS; the servers given are then the brokers' tlsPort.")
    private boolean tls;

    @Option(
            names = "--trust-store",
            paramLabel = "FILE",
            description = "Certificates to trust, in PKCS12 (JKS if it ends in .jks). Default: those of the JDK.")
    private @Nullable Path trustStore;

    @Option(names = "--trust-store-password", paramLabel = "PASSWORD", description = "Of the trust store.")
    private @Nullable String trustStorePassword;

    void apply(MetaqClientBuilder builder) {
        String name = user != null ? user : System.getenv("METAQ_USER");
        if (name != null && !name.isEmpty()) {
            builder.user(name, password(name));
        } else if (password != null || passwordFile != null) {
            throw new CommandFailedException("a password without a user; add --user NAME", ExitCode.USAGE);
        }
        if (tls || trustStore != null) {
            builder.tls(
                    trustStore == null
                            ? TlsSettings.ofSystem()
                            : new TlsSettings(trustStore, trustStorePassword, null, null, true));
        }
    }

    private String password(String name) {
        if (password != null) {
            return password;
        }
        String given = passwordFile == null ? System.getenv("METAQ_PASSWORD") : firstLine(passwordFile);
        if (given == null) {
            throw new CommandFailedException(
                    "no password for user " + name + "; give --password-file FILE, --password, or METAQ_PASSWORD",
                    ExitCode.USAGE);
        }
        return given;
    }

    private static String firstLine(Path file) {
        try {
            return Files.readString(file).lines().findFirst().orElse("");
        } catch (IOException e) {
            throw new CommandFailedException(FileProblem.describe(e), e);
        }
    }
}
