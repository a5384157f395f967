package io.metaq.message;

import org.jspecify.annotations.Nullable;

/** Fields of a message that MetaQ gives a meaning. Each has a number in the property block and one type of value. */
public enum HeaderField {
    /** The sender's id of the message, beginning with {@code ID:}. Absent: {@code ID:} and the broker's message id. */
    MESSAGE_ID(1, ValueType.STRING, null),
    /** When it was sent, ms of the epoch. */
    TIMESTAMP(2, ValueType.LONG, null),
    /** When it expires, ms of the epoch. Absent or 0: never. */
    EXPIRATION(3, ValueType.LONG, null),
    /** Before when it is not delivered, ms of the epoch. Absent or 0: at once. */
    DELIVERY_TIME(4, ValueType.LONG, null),
    /** 0 to 9. Absent: 4. */
    PRIORITY(5, ValueType.BYTE, null),
    /** 1 non-persistent, 2 persistent. Absent: 2. */
    DELIVERY_MODE(6, ValueType.BYTE, null),
    /** A string, or bytes. */
    CORRELATION_ID(7, ValueType.STRING, null),
    /** Such as {@code queue://NAME}. */
    REPLY_TO(8, ValueType.STRING, null),
    TYPE(9, ValueType.STRING, null),
    /** Such as {@code topic://NAME}. */
    DESTINATION(10, ValueType.STRING, null),
    /** Client id, or connection id, of the sender: who does not want its own messages is known by it. */
    ORIGIN(11, ValueType.STRING, null),
    /** Which of the bodies of {@link BodyKind} the payload is. Absent: 0. */
    BODY_KIND(12, ValueType.BYTE, null),
    GROUP_ID(13, ValueType.STRING, "JMSXGroupID"),
    GROUP_SEQ(14, ValueType.INT, "JMSXGroupSeq"),
    USER_ID(15, ValueType.STRING, "JMSXUserID"),
    /** Topic that has the payload of a message with flag {@link MessageFlags#LARGE}. */
    LARGE_TOPIC(16, ValueType.STRING, null),
    LARGE_PARTITION(17, ValueType.INT, null),
    /** Offset of the first message with a part of the payload. */
    LARGE_OFFSET(18, ValueType.LONG, null),
    /** Length of the payload in bytes. */
    LARGE_LENGTH(19, ValueType.LONG, null);

    static final int DEFAULT_PRIORITY = 4;
    static final int DEFAULT_DELIVERY_MODE = 2;

    private static final HeaderField[] FIELDS = values();

    private final int number;
    private final ValueType type;
    private final @Nullable String propertyName;

    HeaderField(int number, ValueType type, @Nullable String propertyName) {
        this.number = number;
        this.type = type;
        this.propertyName = propertyName;
    }

    /** The field's number in a property block, 1 to 255. */
    public int number() {
        return number;
    }

    /** The name under which an application sees the field among the properties, such as {@code JMSXGroupID}; null if it does not. */
    public @Nullable String propertyName() {
        return propertyName;
    }

    ValueType type() {
        return type;
    }

    /** The field of that number, or null for one that only later versions know. */
    static @Nullable HeaderField of(int number) {
        return number >= 1 && number <= FIELDS.length ? FIELDS[number - 1] : null;
    }

    /** The field that applications see as the property, or null. */
    static @Nullable HeaderField ofProperty(String name) {
        if (!name.startsWith("JMSX")) {
            return null;
        }
        for (HeaderField field : FIELDS) {
            if (name.equals(field.propertyName)) {
                return field;
            }
        }
        return null;
    }

    /** Whether the value says no more than the absence of the field would. */
    boolean isDefault(Object value) {
        return switch (this) {
            case PRIORITY -> ((Number) value).intValue() == DEFAULT_PRIORITY;
            case DELIVERY_MODE -> ((Number) value).intValue() == DEFAULT_DELIVERY_MODE;
            case EXPIRATION, DELIVERY_TIME, BODY_KIND, TIMESTAMP -> ((Number) value).longValue() == 0;
            default -> false;
        };
    }
}
