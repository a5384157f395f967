package io.metaq.broker.config;

import java.net.URI;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The keys of [system] that say how HTTP is served. */
public final class AdminSection {
    private final SettingValues values;

    AdminSection(SettingValues system) {
        this.values = system;
    }

    public boolean enabled() {
        return port() >= 0;
    }

    /** 0 = any free port; below 0 = no HTTP. */
    public int port() {
        return values.get(Settings.ADMIN_PORT);
    }

    public String host() {
        return values.get(Settings.ADMIN_HOST);
    }

    public boolean tls() {
        return values.get(Settings.ADMIN_TLS);
    }

    /** Lower case, as browsers send them. */
    public Set<String> allowedOrigins() {
        return origins(values.get(Settings.ADMIN_ALLOWED_ORIGINS));
    }

    /** The text, if it is a list of origins. */
    static String checked(String text) {
        origins(text);
        return text;
    }

    private static Set<String> origins(String text) {
        return Arrays.stream(text.split(","))
                .map(String::strip)
                .filter(origin -> !origin.isEmpty())
                .map(AdminSection::origin)
                .collect(Collectors.toUnmodifiableSet());
    }

    private static String origin(String text) {
        URI uri = URI.create(text);
        boolean whole = uri.getScheme() != null && uri.getHost() != null;
        if (!whole || !text.equals(uri.getScheme() + "://" + uri.getRawAuthority())) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no origin: give scheme and host, and the port if it is not the usual one");
        }
        return text.toLowerCase(Locale.ROOT);
    }

    public int maxConnections() {
        return values.get(Settings.ADMIN_MAX_CONNECTIONS);
    }

    /** Bytes. */
    public int maxBodySize() {
        return values.get(Settings.ADMIN_MAX_BODY_SIZE);
    }

    /** Milliseconds. */
    public int requestTimeout() {
        return values.get(Settings.ADMIN_REQUEST_TIMEOUT);
    }
}
