package io.metaq.jms.message;

import io.metaq.message.BodyKind;
import io.metaq.message.MalformedPropertiesException;
import io.metaq.message.MessageBody;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.MessageFormatException;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A message whose body is named values. */
public final class MetaQMapMessage extends MetaQMessage implements MapMessage {
    private Map<String, @Nullable Object> items = new LinkedHashMap<>();
    private @Nullable BodySource unread;

    /** A message that is being made. */
    public MetaQMapMessage() {}

    /** A received message with this body, which is read when it is asked for. */
    MetaQMapMessage(BodySource body) {
        this.unread = body;
    }

    private Map<String, @Nullable Object> items() throws JMSException {
        if (unread != null) {
            try {
                items = MessageBody.decodeMap(unread.whole());
            } catch (MalformedPropertiesException e) {
                MessageFormatException failure = new MessageFormatException("the body is no map: " + e.getMessage());
                failure.initCause(e);
                throw failure;
            }
            unread = null;
        }
        return items;
    }

    @Override
    BodyKind kind() {
        return BodyKind.MAP;
    }

    @Override
    ByteBuffer payload() throws JMSException {
        return ByteBuffer.wrap(MessageBody.encodeMap(items()));
    }

    @Override
    public void clearBody() throws JMSException {
        super.clearBody();
        unread = null;
        items = new LinkedHashMap<>();
    }

    @Override
    @Nullable
    Object bodyObject() throws JMSException {
        if (items().isEmpty()) {
            return null;
        }
        Map<String, @Nullable Object> copy = new LinkedHashMap<>(items());
        copy.replaceAll((name, value) -> value instanceof byte[] bytes ? bytes.clone() : value);
        return copy;
    }

    /** A map, not what we make it of. */
    @Override
    boolean isOf(Class<?> type, Object body) {
        return type == Map.class || type == Object.class;
    }

    private @Nullable Object get(@Nullable String name) throws JMSException {
        return items().get(name);
    }

    @Override
    public boolean getBoolean(String name) throws JMSException {
        return Conversions.toBoolean(get(name));
    }

    @Override
    public byte getByte(String name) throws JMSException {
        return Conversions.toByte(get(name));
    }

    @Override
    public short getShort(String name) throws JMSException {
        return Conversions.toShort(get(name));
    }

    @Override
    public char getChar(String name) throws JMSException {
        return Conversions.toChar(get(name));
    }

    @Override
    public int getInt(String name) throws JMSException {
        return Conversions.toInt(get(name));
    }

    @Override
    public long getLong(String name) throws JMSException {
        return Conversions.toLong(get(name));
    }

    @Override
    public float getFloat(String name) throws JMSException {
        return Conversions.toFloat(get(name));
    }

    @Override
    public double getDouble(String name) throws JMSException {
        return Conversions.toDouble(get(name));
    }

    @Override
    public @Nullable String getString(String name) throws JMSException {
        return Conversions.toText(get(name));
    }

    @Override
    public byte @Nullable [] getBytes(String name) throws JMSException {
        byte[] bytes = Conversions.toBytes(get(name));
        return bytes == null ? null : bytes.clone();
    }

    @Override
    public @Nullable Object getObject(String name) throws JMSException {
        return get(name) instanceof byte[] bytes ? bytes.clone() : get(name);
    }

    @Override
    @SuppressWarnings("rawtypes")
    public Enumeration getMapNames() throws JMSException {
        return Collections.enumeration(List.copyOf(items().keySet()));
    }

    @Override
    public boolean itemExists(String name) throws JMSException {
        return items().containsKey(name);
    }

    @Override
    public void setBoolean(String name, boolean value) throws JMSException {
        setObject(name, value);
    }

    @Override
    public void setByte(String name, byte value) throws JMSException {
        setObject(name, value);
    }

    @Override
    public void setShort(String name, short value) throws JMSException {
        setObject(name, value);
    }

    @Override
    public void setChar(String name, char value) throws JMSException {
        setObject(name, value);
    }

    @Override
    public void setInt(String name, int value) throws JMSException {
        setObject(name, value);
    }

    @Override
    public void setLong(String name, long value) throws JMSException {
        setObject(name, value);
    }

    @Override
    public void setFloat(String name, float value) throws JMSException {
        setObject(name, value);
    }

    @Override
    public void setDouble(String name, double value) throws JMSException {
        setObject(name, value);
    }

    @Override
    public void setString(String name, @Nullable String value) throws JMSException {
        setObject(name, value);
    }

    @Override
    public void setBytes(String name, byte @Nullable [] value) throws JMSException {
        setObject(name, value);
    }

    @Override
    public void setBytes(String name, byte[] value, int offset, int length) throws JMSException {
        requireWriteableBody();
        requireName(name);
        setObject(name, ByteRange.copy(value, offset, length));
    }

    /**
     * @throws IllegalArgumentException if the name is null or empty
     * @throws MessageFormatException if the value is none of the types that a map has
     */
    @Override
    public void setObject(@Nullable String name, @Nullable Object value) throws JMSException {
        requireWriteableBody();
        items().put(requireName(name), Conversions.checked(value));
    }

    private static String requireName(@Nullable String name) {
        if (name == null || name.isEmpty()) {
            throw new IllegalArgumentException("a value of a map needs a name");
        }
        return name;
    }
}
