package io.metaq.jms.message;

import io.metaq.message.PropertyBlock;
import io.metaq.message.PropertyBlockWriter;
import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The properties of one message. Those of a received one are read from its block when the first of them is asked for. */
final class MessageProperties {
    static final String DELIVERY_COUNT = "JMSXDeliveryCount";
    private static final String GROUP_ID = "JMSXGroupID";
    private static final String GROUP_SEQ = "JMSXGroupSeq";
    private static final String USER_ID = "JMSXUserID";

    private static final Set<String> RESERVED =
            Set.of("NULL", "TRUE", "FALSE", "NOT", "AND", "OR", "BETWEEN", "LIKE", "IN", "IS", "ESCAPE");

    private final Map<String, @Nullable Object> values = new LinkedHashMap<>();
    private @Nullable PropertyBlock unread;
    private int deliveryCount;
    private boolean readOnly;

    /** Those of a message that is being made. */
    MessageProperties() {}

    /** Those of a received message. */
    MessageProperties(@Nullable PropertyBlock block, int deliveryCount) {
        this.unread = block;
        this.deliveryCount = deliveryCount;
        this.readOnly = true;
    }

    private Map<String, @Nullable Object> values() {
        if (deliveryCount > 0) {
            if (unread != null) {
                unread.forEachProperty(values::put);
                unread = null;
            }
            values.put(DELIVERY_COUNT, deliveryCount);
            deliveryCount = 0;
        }
        return values;
    }

    void clear() {
        unread = null;
        deliveryCount = 0;
        values.clear();
        readOnly = false;
    }

    boolean has(String name) {
        return values().containsKey(name);
    }

    @Nullable
    Object get(String name) {
        return values().get(name);
    }

    Enumeration<String> names() {
        return Collections.enumeration(List.copyOf(values().keySet()));
    }

    /** Skips what no sender may say. */
    void writeTo(PropertyBlockWriter block) {
        for (Map.Entry<String, @Nullable Object> property : values().entrySet()) {
            if (!property.getKey().equals(DELIVERY_COUNT)) {
                block.property(property.getKey(), property.getValue());
            }
        }
    }

    /**
     * @throws MessageNotWriteableException for a received message
     * @throws IllegalArgumentException if the name is null or empty
     * @throws JMSException if the name is no identifier of a selector
     * @throws MessageFormatException if the value is none of the allowed types
     */
    void set(@Nullable String name, @Nullable Object value) throws JMSException {
        requireWriteable();
        String checked = checkedName(name);
        if (!Conversions.isProperty(value)) {
            throw Conversions.notAllowed(value);
        }
        boolean text = checked.equals(GROUP_ID) || checked.equals(USER_ID);
        if (text && value != null && !(value instanceof String)) {
            throw new MessageFormatException(checked + " is a String");
        }
        if (checked.equals(GROUP_SEQ)
                && !(value == null || value instanceof Integer || value instanceof Short || value instanceof Byte)) {
            throw new MessageFormatException(checked + " is an int");
        }
        values.put(checked, value);
    }

    void requireWriteable() throws MessageNotWriteableException {
        if (readOnly) {
            throw new MessageNotWriteableException(
                    "the properties of a received message are read-only until clearProperties()");
        }
    }

    static String checkedName(@Nullable String name) throws JMSException {
        if (name == null || name.isEmpty()) {
            throw new IllegalArgumentException("a property needs a name");
        }
        if (!isIdentifier(name)) {
            throw new JMSException("'" + name + "' is no property name: it must be a Java identifier, and no word that"
                    + " selectors reserve");
        }
        if (name.startsWith("JMS") && !name.startsWith("JMSX") && !name.startsWith("JMS_")) {
            throw new JMSException("'" + name + "' is no property name: JMS begins the names of headers");
        }
        return name;
    }

    private static boolean isIdentifier(String name) {
        if (!Character.isJavaIdentifierStart(name.codePointAt(0))) {
            return false;
        }
        return name.codePoints().allMatch(Character::isJavaIdentifierPart)
                && !RESERVED.contains(name); // in capitals only: properties named "true" are in use
    }
}
