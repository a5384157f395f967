package io.metaq.broker.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The keys of [system] that say how TLS is served. */
public final class TlsSection {
    private static final String FILE = "file:";

    private final SettingValues values;

    TlsSection(SettingValues system) {
        this.values = system;
    }

    public boolean enabled() {
        return port() >= 0;
    }

    /** 0 = any free port; below 0 = no TLS. */
    public int port() {
        return values.get(Settings.TLS_PORT);
    }

    /** Where key and certificate of the broker are. */
    public Store keyStore() {
        return new Store(
                Settings.TLS_KEY_STORE.name(),
                values.get(Settings.TLS_KEY_STORE),
                values.get(Settings.TLS_KEY_STORE_TYPE),
                values.get(Settings.TLS_KEY_STORE_PASSWORD));
    }

    /** Where the certificates of clients, or of those who vouch for them, are; not given if the path is empty. */
    public Store trustStore() {
        return new Store(
                Settings.TLS_TRUST_STORE.name(),
                values.get(Settings.TLS_TRUST_STORE),
                values.get(Settings.TLS_TRUST_STORE_TYPE),
                values.get(Settings.TLS_TRUST_STORE_PASSWORD));
    }

    /** {@code none}, {@code want} or {@code need}. */
    public String clientAuth() {
        return values.get(Settings.TLS_CLIENT_AUTH);
    }

    /**
     * A key store as configured.
     *
     * @param key the configuration key that names it, for messages
     * @param path empty if none is given
     */
    public record Store(String key, String path, String type, String passwordText) {
        public boolean given() {
            return !path.isEmpty();
        }

        public Path file() {
            return Path.of(path);
        }

        /** @throws IOException if the password stands in a file that cannot be read */
        public char[] password() throws IOException {
            if (!passwordText.startsWith(FILE)) {
                return passwordText.toCharArray();
            }
            return Files.readString(Path.of(passwordText.substring(FILE.length())))
                    .strip()
                    .toCharArray();
        }

        /** Without the password. */
        @Override
        public String toString() {
            return key + "=" + path + " (" + type + ")";
        }
    }
}
