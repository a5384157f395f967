package io.metaq.broker.config;

/**
 * One key of the configuration: its name, what it means, its default, and how its text becomes a value.
 *
 * @param <T> the type of its value, always immutable
 */
public final class Setting<T> {
    private final String name;
    private final T defaultValue;
    private final ValueType<T> type;
    private final String description;
    private final boolean secret;

    private Setting(String name, T defaultValue, ValueType<T> type, String description, boolean secret) {
        this.name = name;
        this.defaultValue = defaultValue;
        this.type = type;
        this.description = description;
        this.secret = secret;
    }

    static <T> Setting<T> of(String name, T defaultValue, ValueType<T> type, String description) {
        return new Setting<>(name, defaultValue, type, description, false);
    }

    static Setting<String> secret(String name, ValueType<String> type, String description) {
        return new Setting<>(name, "", type, description, true);
    }

    /** The key as it stands in the file; case matters. */
    public String name() {
        return name;
    }

    public T defaultValue() {
        return defaultValue;
    }

    /** What the key means, one or two sentences, with its unit. */
    public String description() {
        return description;
    }

    /** Whether the value is to be shown to nobody. */
    public boolean secret() {
        return secret;
    }

    /** What a right value looks like, for error messages: "a whole number from 0 to 65535". */
    public String expects() {
        return type.expects();
    }

    /**
     * Reads a value.
     *
     * @throws IllegalArgumentException if the text is no value of this key; its message says why
     */
    T parse(String text) {
        return type.parse(text);
    }

    /** The value as it would be written in the file. */
    String format(Object value) {
        return value.toString();
    }

    @Override
    public String toString() {
        return name;
    }
}
