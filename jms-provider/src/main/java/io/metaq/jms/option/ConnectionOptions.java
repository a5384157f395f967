package io.metaq.jms.option;

import java.io.Serializable;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a connection goes and how it behaves. Immutable.
 *
 * @param addresses {@code host:port[,host:port...]}
 * @param secure whether connections are TLS ({@code metaqs://})
 * @param values what is set and differs from {@link ConnectionOption#absent()}; checked
 */
public record ConnectionOptions(String addresses, boolean secure, Map<ConnectionOption, String> values)
        implements Serializable {

    /** Where a factory without a URI goes. */
    public static final String DEFAULT_ADDRESS = "localhost:8123";

    private static final long serialVersionUID = 1L;

    /** @throws IllegalArgumentException when a value is not of its option's type */
    public ConnectionOptions {
        EnumMap<ConnectionOption, String> copy = new EnumMap<>(ConnectionOption.class);
        values.forEach((option, value) -> {
            option.check(value);
            if (!value.equals(option.absent())) {
                copy.put(option, value);
            }
        });
        values = Collections.unmodifiableMap(copy);
    }

    public static ConnectionOptions defaults() {
        return new ConnectionOptions(DEFAULT_ADDRESS, false, Map.of());
    }

    /**
     * The same with one option set.
     *
     * @param value null: back to the default
     * @throws IllegalArgumentException when the value is not of the option's type
     */
    public ConnectionOptions with(ConnectionOption option, @Nullable String value) {
        EnumMap<ConnectionOption, String> changed = new EnumMap<>(ConnectionOption.class);
        changed.putAll(values);
        if (value == null) {
            changed.remove(option);
        } else {
            changed.put(option, value);
        }
        return new ConnectionOptions(addresses, secure, changed);
    }

    /** The value that counts: set or default; null where there is neither. */
    public @Nullable String text(ConnectionOption option) {
        String value = values.get(option);
        return value == null ? option.absent() : value;
    }

    /** @throws IllegalArgumentException when the option is not a number */
    public int number(ConnectionOption option) {
        return Integer.parseInt(present(option));
    }

    public boolean flag(ConnectionOption option) {
        return Boolean.parseBoolean(present(option));
    }

    private String present(ConnectionOption option) {
        String value = text(option);
        if (value == null) {
            throw new IllegalArgumentException("option " + option.key() + " is not set");
        }
        return value;
    }

    /** Without secrets. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(secure ? "metaqs://" : "metaq://").append(addresses);
        char separator = '?';
        for (Map.Entry<ConnectionOption, String> entry : values.entrySet()) {
            boolean secret =
                    entry.getKey().key().toLowerCase(java.util.Locale.ROOT).endsWith("password");
            text.append(separator).append(entry.getKey().key()).append('=').append(secret ? "***" : entry.getValue());
            separator = '&';
        }
        return text.toString();
    }
}
