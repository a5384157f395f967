package io.metaq.jms.transport;

import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqClientBuilder;
import io.metaq.client.TlsSettings;
import io.metaq.jms.option.ConnectionOption;
import io.metaq.jms.option.ConnectionOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A connection's options as settings of the client below. */
final class ClientSettings {

    private ClientSettings() {}

    static MetaqClientBuilder builder(ConnectionOptions options, @Nullable String user, @Nullable String password) {
        MetaqClientBuilder builder = MetaqClient.builder()
                .name("jms")
                // Nothing of an application runs on their threads, and applications have many connections.
                .shareConnections()
                .connectTimeout(Duration.ofMillis(options.number(ConnectionOption.CONNECT_TIMEOUT)))
                .requestTimeout(Duration.ofMillis(options.number(ConnectionOption.REQUEST_TIMEOUT)));
        if ("zookeeper".equals(options.text(ConnectionOption.LOOKUP))) {
            builder.zookeeper(
                    options.addresses(), Objects.requireNonNull(options.text(ConnectionOption.ZOOKEEPER_ROOT)));
        } else {
            builder.servers(options.addresses());
        }
        if (user != null) {
            builder.user(user, password == null ? "" : password);
        }
        builder.subscriberTimeout(Duration.ofMillis(options.number(ConnectionOption.COMMIT_TIMEOUT)));
        if (options.secure()) {
            builder.tls(new TlsSettings(
                    path(options.text(ConnectionOption.TRUST_STORE)),
                    options.text(ConnectionOption.TRUST_STORE_PASSWORD),
                    path(options.text(ConnectionOption.KEY_STORE)),
                    options.text(ConnectionOption.KEY_STORE_PASSWORD),
                    options.flag(ConnectionOption.VERIFY_HOST)));
        }
        return builder;
    }

    private static @Nullable Path path(@Nullable String file) {
        return file == null ? null : Path.of(file);
    }
}
