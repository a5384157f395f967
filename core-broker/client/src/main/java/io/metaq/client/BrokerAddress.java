package io.metaq.client;

import java.util.ArrayList;
import java.util.List;

/**
 * Where a broker listens.
 *
 * @param host name or IP literal (IPv6 without brackets)
 * @param port 1 to 65535
 */
public record BrokerAddress(String host, int port) implements Comparable<BrokerAddress> {

    /** The port that brokers use unless configured otherwise. */
    public static final int DEFAULT_PORT = 8123;

    public BrokerAddress {
        if (host.isBlank()) {
            throw new IllegalArgumentException("broker address without a host");
        }
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("broker port " + port + " is not between 1 and 65535");
        }
    }

    /**
     * Reads {@code host}, {@code host:port}, {@code [v6]:port} or the 1.4 form {@code meta://host:port}.
     *
     * @throws IllegalArgumentException when the text has none of these forms
     */
    public static BrokerAddress parse(String text) {
        String rest = text.strip();
        if (rest.startsWith("meta://")) {
            rest = rest.substring("meta://".length());
        }
        int query = rest.indexOf('?');
        if (query >= 0) {
            rest = rest.substring(0, query);
        }
        int bracket = rest.indexOf(']');
        int colon = rest.indexOf(':', Math.max(bracket, 0));
        String host = colon < 0 ? rest : rest.substring(0, colon);
        if (bracket > 0 && host.startsWith("[")) {
            host = host.substring(1, bracket);
        }
        return new BrokerAddress(host, colon < 0 ? DEFAULT_PORT : port(text, rest.substring(colon + 1)));
    }

    /** Reads a list separated by commas, as {@link MetaqClientBuilder#servers(String)} takes it. */
    public static List<BrokerAddress> parseList(String text) {
        List<BrokerAddress> addresses = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            if (!part.isBlank()) {
                addresses.add(parse(part));
            }
        }
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException("no broker address in '" + text + "': give host:port[,host:port...]");
        }
        return List.copyOf(addresses);
    }

    private static int port(String whole, String digits) {
        try {
            return Integer.parseInt(digits);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + whole + "' is not a broker address: give host:port", e);
        }
    }

    @Override
    public int compareTo(BrokerAddress other) {
        int byHost = host.compareTo(other.host);
        return byHost != 0 ? byHost : Integer.compare(port, other.port);
    }

    @Override
    public String toString() {
        return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
    }
}
