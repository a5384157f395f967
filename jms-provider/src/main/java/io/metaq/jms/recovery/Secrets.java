package io.metaq.jms.recovery;

import io.metaq.jms.option.ConnectionOption;
import io.metaq.jms.option.ConnectionOptions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The passwords that this process was given. A transaction manager writes resources into its log, which is a file that many may read, so
 * that they are kept out of there and added again when the resource is used.
 */
final class Secrets {

    private static final List<ConnectionOption> SECRET = List.of(
            ConnectionOption.PASSWORD, ConnectionOption.TRUST_STORE_PASSWORD, ConnectionOption.KEY_STORE_PASSWORD);

    /** Who logs in where. */
    private record Login(String addresses, @Nullable String user) {
        static Login of(ConnectionOptions options) {
            return new Login(options.addresses(), options.text(ConnectionOption.USER));
        }
    }

    private static final Map<Login, ConnectionOptions> KNOWN = new ConcurrentHashMap<>();

    private Secrets() {}

    static ConnectionOptions without(ConnectionOptions options) {
        ConnectionOptions bare = options;
        for (ConnectionOption secret : SECRET) {
            bare = bare.with(secret, null);
        }
        return bare;
    }

    static void remember(ConnectionOptions options) {
        if (SECRET.stream().anyMatch(options.values()::containsKey)) {
            KNOWN.put(Login.of(options), options);
        }
    }

    /** The same with the secrets that were last given for this user and these brokers. */
    static ConnectionOptions added(ConnectionOptions bare) {
        ConnectionOptions known = KNOWN.get(Login.of(bare));
        ConnectionOptions whole = bare;
        if (known != null) {
            for (ConnectionOption secret : SECRET) {
                whole = whole.with(secret, known.text(secret));
            }
        }
        return whole;
    }
}
