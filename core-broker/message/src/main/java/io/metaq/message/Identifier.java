package io.metaq.message;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A property, or one of the headers that selectors may use. */
final class Identifier implements Expression {
    private static final Map<String, HeaderField> HEADERS = Map.of(
            "JMSMessageID", HeaderField.MESSAGE_ID,
            "JMSTimestamp", HeaderField.TIMESTAMP,
            "JMSPriority", HeaderField.PRIORITY,
            "JMSDeliveryMode", HeaderField.DELIVERY_MODE,
            "JMSCorrelationID", HeaderField.CORRELATION_ID,
            "JMSType", HeaderField.TYPE);

    private static final int NON_PERSISTENT = 1;

    private final byte[] name;
    private final @Nullable HeaderField field;

    private Identifier(String name, @Nullable HeaderField field) {
        this.name = name.getBytes(StandardCharsets.UTF_8);
        this.field = field;
    }

    /** Null for a name that begins with JMS and stands for nothing that may be selected by. */
    static @Nullable Identifier of(String name) {
        HeaderField header = HEADERS.get(name);
        if (header != null) {
            return new Identifier(name, header);
        }
        if (name.startsWith("JMS") && !name.startsWith("JMSX") && !name.startsWith("JMS_")) {
            return null;
        }
        return new Identifier(name, HeaderField.ofProperty(name));
    }

    @Override
    public Kind kind() {
        if (field == null) {
            return Kind.ANY;
        }
        return switch (field) {
            case TIMESTAMP, PRIORITY, GROUP_SEQ -> Kind.NUMBER;
            default -> Kind.STRING;
        };
    }

    @Override
    public int depth() {
        return 1;
    }

    @Override
    public @Nullable Object evaluate(@Nullable PropertyBlock properties, long messageId) {
        if (field != null) {
            return header(field, properties, messageId);
        }
        int at = properties == null ? -1 : properties.find(name);
        return properties == null || at < 0 ? null : properties.value(at);
    }

    private static @Nullable Object header(HeaderField field, @Nullable PropertyBlock properties, long messageId) {
        Object value = properties == null ? null : properties.header(field);
        return switch (field) {
            case MESSAGE_ID -> value == null ? "ID:" + messageId : value;
            case PRIORITY -> value == null ? Integer.valueOf(HeaderField.DEFAULT_PRIORITY) : value;
            case DELIVERY_MODE ->
                value instanceof Number mode && mode.intValue() == NON_PERSISTENT ? "NON_PERSISTENT" : "PERSISTENT";
            // One that was set as bytes has no value as a string.
            case CORRELATION_ID -> value instanceof String ? value : null;
            default -> value;
        };
    }

    /**
     * Whether the value is that string, decided on the bytes.
     *
     * @return null if there is no value or it is null
     */
    @Nullable
    Boolean isString(@Nullable PropertyBlock properties, long messageId, Literal string, byte[] utf8) {
        if (field == HeaderField.MESSAGE_ID || field == HeaderField.DELIVERY_MODE) {
            return string.value().equals(header(field, properties, messageId));
        }
        if (properties == null) {
            return null;
        }
        int at = field == null ? properties.find(name) : properties.find(field);
        if (at < 0 || properties.isOfType(at, ValueType.NULL)) {
            return null;
        }
        return properties.isString(at, utf8);
    }

    /** Whether the value is a string at all. */
    boolean isOfString(@Nullable PropertyBlock properties, long messageId) {
        return evaluate(properties, messageId) instanceof String;
    }
}
