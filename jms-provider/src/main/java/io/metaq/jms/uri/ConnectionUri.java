package io.metaq.jms.uri;

import io.metaq.client.BrokerAddress;
import io.metaq.jms.option.ConnectionOption;
import io.metaq.jms.option.ConnectionOptions;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Connection URIs: {@code metaq://host:port[,host:port...][?option=value[&option=value...]]}, and {@code metaqs://} for TLS. The
 * options are those of {@link ConnectionOption}; a value is percent-encoded where it has to be. A host without a port means the
 * broker's default port. With {@code lookup=zookeeper} the addresses are ZooKeeper servers.
 *
 * <p>Messages about wrong URIs name what is wrong and never repeat the whole URI, which may hold a password.
 */
public final class ConnectionUri {
    private static final String PLAIN = "metaq://";
    private static final String SECURE = "metaqs://";
    private static final int DEFAULT_ZOOKEEPER_PORT = 2181;

    private ConnectionUri() {}

    /**
     * Reads a URI.
     *
     * @throws IllegalArgumentException when it has another form, an unknown option or a wrong value; the text says which
     */
    public static ConnectionOptions parse(String uri) {
        boolean secure = uri.startsWith(SECURE);
        if (!secure && !uri.startsWith(PLAIN)) {
            throw new IllegalArgumentException(
                    "a connection URI begins with metaq:// or metaqs://, not with '" + schemeOf(uri) + "'");
        }
        String rest = uri.substring((secure ? SECURE : PLAIN).length());
        int query = rest.indexOf('?');
        String addresses = query < 0 ? rest : rest.substring(0, query);
        Map<ConnectionOption, String> values = query < 0 ? Map.of() : values(rest.substring(query + 1));
        boolean zookeeper = "zookeeper".equals(values.get(ConnectionOption.LOOKUP));
        return new ConnectionOptions(addresses(addresses, zookeeper), secure, values);
    }

    /**
     * Reads a URI, or only {@code ?option=value...}, which changes options of {@code base}.
     *
     * @throws IllegalArgumentException as {@link #parse(String)}
     */
    public static ConnectionOptions parse(String text, ConnectionOptions base) {
        if (!text.startsWith("?")) {
            return parse(text);
        }
        ConnectionOptions options = base;
        for (Map.Entry<ConnectionOption, String> value :
                values(text.substring(1)).entrySet()) {
            options = options.with(value.getKey(), value.getValue());
        }
        return options;
    }

    /** The URI from which {@link #parse(String)} makes equal options, passwords included. */
    public static String format(ConnectionOptions options) {
        String query = options.values().entrySet().stream()
                .map(entry -> entry.getKey().key() + '=' + encode(entry.getValue()))
                .collect(Collectors.joining("&"));
        return (options.secure() ? SECURE : PLAIN) + options.addresses() + (query.isEmpty() ? "" : '?' + query);
    }

    /**
     * The option of this name.
     *
     * @throws IllegalArgumentException for an unknown name; the text has the nearest known one
     */
    public static ConnectionOption option(String key) {
        return ConnectionOption.named(key)
                .orElseThrow(
                        () -> new IllegalArgumentException("unknown option " + key + NearestName.hint(key, keys())));
    }

    private static List<String> keys() {
        return Arrays.stream(ConnectionOption.values())
                .map(ConnectionOption::key)
                .toList();
    }

    private static Map<ConnectionOption, String> values(String query) {
        Map<ConnectionOption, String> values = new EnumMap<>(ConnectionOption.class);
        for (String pair : query.split("&", -1)) {
            if (pair.isEmpty()) {
                continue;
            }
            int equals = pair.indexOf('=');
            ConnectionOption option = option(equals < 0 ? pair : pair.substring(0, equals));
            if (equals < 0) {
                throw new IllegalArgumentException(
                        "option " + option.key() + " has no value: write " + option.key() + "=...");
            }
            if (values.put(option, decode(option, pair.substring(equals + 1))) != null) {
                throw new IllegalArgumentException("option " + option.key() + " is given twice");
            }
        }
        return values;
    }

    private static String addresses(String text, boolean zookeeper) {
        if (text.indexOf('@') >= 0) {
            throw new IllegalArgumentException(
                    "a connection URI has no user before the host: write ?user=...&password=... behind it");
        }
        if (text.indexOf('/') >= 0 || text.indexOf('#') >= 0) {
            throw new IllegalArgumentException(
                    "a connection URI is metaq://host:port[,host:port...][?option=value...], without a path");
        }
        if (text.isBlank()) {
            throw new IllegalArgumentException("a connection URI names at least one host");
        }
        int defaultPort = zookeeper ? DEFAULT_ZOOKEEPER_PORT : BrokerAddress.DEFAULT_PORT;
        return Arrays.stream(text.split(",", -1))
                .map(address -> address(address.strip(), defaultPort).toString())
                .collect(Collectors.joining(","));
    }

    private static BrokerAddress address(String text, int defaultPort) {
        boolean hasPort = text.indexOf(':', text.indexOf(']') + 1) >= 0;
        return BrokerAddress.parse(hasPort ? text : text + ':' + defaultPort);
    }

    private static String schemeOf(String uri) {
        int end = uri.indexOf("://");
        return end < 0 ? uri.substring(0, Math.min(uri.length(), 16)) : uri.substring(0, end + 3);
    }

    /** Decodes percent signs only: a plus stays a plus, as in URIs and other than in forms. */
    private static String decode(ConnectionOption option, String value) {
        try {
            return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "the value of option " + option.key() + " has a % that is not followed by two hexadecimal digits",
                    e);
        }
    }

    private static String encode(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
