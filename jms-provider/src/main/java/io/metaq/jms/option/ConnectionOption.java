package io.metaq.jms.option;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Everything that can be set on a connection factory: the name in a connection URI, its default, its meaning. */
public enum ConnectionOption {
    USER("user", Type.TEXT, null, "User name for createConnection() without arguments"),
    PASSWORD("password", Type.TEXT, null, "Password for createConnection() without arguments"),
    CLIENT_ID("clientId", Type.TEXT, null, "Client identifier of each connection; setClientID is refused then"),
    LOOKUP("lookup", Type.TEXT, "direct", "direct: the addresses are brokers; zookeeper: they are ZooKeeper servers"),
    ZOOKEEPER_ROOT("zookeeperRoot", Type.TEXT, "/meta", "Path of the brokers in ZooKeeper, with lookup=zookeeper"),
    CONNECT_TIMEOUT("connectTimeout", Type.MILLIS, "3000", "Longest time for a TCP connection, ms"),
    REQUEST_TIMEOUT("requestTimeout", Type.MILLIS, "5000", "Longest time for an answer of the broker, ms"),
    SEND_TIMEOUT(
            "sendTimeout",
            Type.MILLIS,
            "30000",
            "From a send to its outcome, repetitions after a reconnect included, ms"),
    COMMIT_TIMEOUT(
            "commitTimeout",
            Type.MILLIS,
            "9000",
            "Longest time that commit() and acknowledge() wait for the broker, a reconnect included, ms"),
    RECONNECT_TIMEOUT(
            "reconnectTimeout",
            Type.MILLIS,
            "300000",
            "How long a lost connection is tried again before the exception listener is told and the connection is of no more use, ms"),
    CLOSE_TIMEOUT(
            "closeTimeout",
            Type.MILLIS,
            "7000",
            "Longest time that close() waits for listeners, sends and the broker, ms"),
    PREFETCH("prefetch", Type.COUNT, "1000", "Most messages that wait in a consumer for its listener or its receive()"),
    PREFETCH_BYTES(
            "prefetchBytes",
            Type.COUNT,
            "1048576",
            "Most bytes that wait in a consumer, but for one message that may be longer"),
    SYNC_NON_PERSISTENT(
            "syncNonPersistent",
            Type.FLAG,
            "false",
            "Whether send() of a non-persistent message waits for the broker's answer"),
    MAX_IN_FLIGHT_BYTES(
            "maxInFlightBytes", Type.COUNT, "33554432", "Bytes sent and not yet answered before send() waits"),
    TRUSTED_CLASSES(
            "trustedClasses",
            Type.TEXT,
            "",
            "Classes that an ObjectMessage may be made of, comma separated: a class, a package as com.acme.*, one with all below it as com.acme.**, or * for all;"
                    + " java.lang, java.math, java.time and java.util collections always are"),
    LARGE_MESSAGE_BYTES(
            "largeMessageBytes",
            Type.COUNT,
            "1048576",
            "A body with more bytes than this is sent and received in pieces; below the broker's maxMessageSize"),
    NEVER_SAME_RM(
            "neverSameRM",
            Type.FLAG,
            "false",
            "Whether XAResource.isSameRM is always false, for transaction managers that must not join branches"),
    TRUST_STORE(
            "trustStore", Type.TEXT, null, "File with the certificates to trust for metaqs://; the JVM's by default"),
    TRUST_STORE_PASSWORD("trustStorePassword", Type.TEXT, null, "Password of the trust store"),
    KEY_STORE("keyStore", Type.TEXT, null, "File with this client's own certificate, where the broker asks for one"),
    KEY_STORE_PASSWORD("keyStorePassword", Type.TEXT, null, "Password of the key store"),
    VERIFY_HOST("verifyHost", Type.FLAG, "true", "Whether the broker's certificate must name its host, with metaqs://");

    /** What a value has to look like. */
    public enum Type {
        TEXT,
        /** {@code true} or {@code false}. */
        FLAG,
        /** A whole number of at least 1. */
        COUNT,
        /** A whole number of milliseconds, at least 1. */
        MILLIS
    }

    private final String key;
    private final Type type;
    private final @Nullable String absent;
    private final String meaning;

    ConnectionOption(String key, Type type, @Nullable String absent, String meaning) {
        this.key = key;
        this.type = type;
        this.absent = absent;
        this.meaning = meaning;
    }

    /** Its name in connection URIs. */
    public String key() {
        return key;
    }

    public Type type() {
        return type;
    }

    /** The value where none is given; null for none. */
    public @Nullable String absent() {
        return absent;
    }

    /** One sentence for documents. */
    public String meaning() {
        return meaning;
    }

    /** The option of this name. */
    public static Optional<ConnectionOption> named(String key) {
        for (ConnectionOption option : values()) {
            if (option.key.equals(key)) {
                return Optional.of(option);
            }
        }
        return Optional.empty();
    }

    /** @throws IllegalArgumentException when the value is not of this option's type; the text names option and value */
    void check(String value) {
        boolean good = switch (type) {
            case TEXT -> true;
            case FLAG -> value.equals("true") || value.equals("false");
            case COUNT, MILLIS -> isPositive(value);
        };
        if (!good) {
            String wanted = type == Type.FLAG ? "true or false" : "a whole number from 1 to 2147483647";
            throw new IllegalArgumentException("option " + key + " is " + wanted + ", not '" + value + "'");
        }
    }

    private static boolean isPositive(String value) {
        try {
            return Integer.parseInt(value) > 0;
        } catch (NumberFormatException e) {
            return false;
        }
    }
}
