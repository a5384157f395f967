package io.metaq.jms.message;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.Enumeration;
import org.jspecify.annotations.Nullable;

/** The properties of a message by their names, converted as the specification's table says. */
abstract class PropertyAccess implements Message {
    private MessageProperties properties = new MessageProperties();

    final MessageProperties properties() {
        return properties;
    }

    /** Those that it was received with. */
    final void properties(MessageProperties received) {
        properties = received;
    }

    @Override
    public boolean propertyExists(String name) throws JMSException {
        return properties.has(name);
    }

    @Override
    public boolean getBooleanProperty(String name) throws JMSException {
        return Conversions.toBoolean(getObjectProperty(name));
    }

    @Override
    public byte getByteProperty(String name) throws JMSException {
        return Conversions.toByte(getObjectProperty(name));
    }

    @Override
    public short getShortProperty(String name) throws JMSException {
        return Conversions.toShort(getObjectProperty(name));
    }

    @Override
    public int getIntProperty(String name) throws JMSException {
        return Conversions.toInt(getObjectProperty(name));
    }

    @Override
    public long getLongProperty(String name) throws JMSException {
        return Conversions.toLong(getObjectProperty(name));
    }

    @Override
    public float getFloatProperty(String name) throws JMSException {
        return Conversions.toFloat(getObjectProperty(name));
    }

    @Override
    public double getDoubleProperty(String name) throws JMSException {
        return Conversions.toDouble(getObjectProperty(name));
    }

    @Override
    public @Nullable String getStringProperty(String name) throws JMSException {
        return Conversions.toText(getObjectProperty(name));
    }

    @Override
    public @Nullable Object getObjectProperty(String name) throws JMSException {
        return properties.get(name);
    }

    @Override
    @SuppressWarnings("rawtypes")
    public Enumeration getPropertyNames() throws JMSException {
        return properties.names();
    }

    @Override
    public void setBooleanProperty(String name, boolean value) throws JMSException {
        setObjectProperty(name, value);
    }

    @Override
    public void setByteProperty(String name, byte value) throws JMSException {
        setObjectProperty(name, value);
    }

    @Override
    public void setShortProperty(String name, short value) throws JMSException {
        setObjectProperty(name, value);
    }

    @Override
    public void setIntProperty(String name, int value) throws JMSException {
        setObjectProperty(name, value);
    }

    @Override
    public void setLongProperty(String name, long value) throws JMSException {
        setObjectProperty(name, value);
    }

    @Override
    public void setFloatProperty(String name, float value) throws JMSException {
        setObjectProperty(name, value);
    }

    @Override
    public void setDoubleProperty(String name, double value) throws JMSException {
        setObjectProperty(name, value);
    }

    @Override
    public void setStringProperty(String name, @Nullable String value) throws JMSException {
        setObjectProperty(name, value);
    }

    @Override
    public void setObjectProperty(String name, @Nullable Object value) throws JMSException {
        properties.set(name, value);
    }
}
