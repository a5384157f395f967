package io.metaq.jms.context;

import static io.metaq.jms.failure.RuntimeFailures.call;
import static io.metaq.jms.failure.RuntimeFailures.callNullable;
import static io.metaq.jms.failure.RuntimeFailures.run;

import io.metaq.jms.failure.RuntimeFailures.Action;
import io.metaq.jms.message.MetaQMessage;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.Message;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The properties and headers that a producer of the simplified API puts on each message. Kept in a message of its own, whose rules for
 * names, types and conversions are the same.
 */
abstract class ProducerTemplate implements JMSProducer {

    private final MetaQMessage template = new MetaQMessage();
    private @Nullable Object correlation;

    private JMSProducer set(Action action) {
        run(action);
        return this;
    }

    /** Puts everything that is set here on a message that is about to be sent. */
    final void applyTo(Message message) throws JMSException {
        for (Enumeration<?> names = template.getPropertyNames(); names.hasMoreElements(); ) {
            String name = (String) names.nextElement();
            message.setObjectProperty(name, template.getObjectProperty(name));
        }
        if (template.getJMSType() != null) {
            message.setJMSType(template.getJMSType());
        }
        if (template.getJMSReplyTo() != null) {
            message.setJMSReplyTo(template.getJMSReplyTo());
        }
        if (correlation instanceof byte[] bytes) {
            message.setJMSCorrelationIDAsBytes(bytes.clone());
        } else if (correlation instanceof String text) {
            message.setJMSCorrelationID(text);
        }
    }

    @Override
    public JMSProducer setProperty(String name, boolean value) {
        return set(() -> template.setBooleanProperty(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, byte value) {
        return set(() -> template.setByteProperty(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, short value) {
        return set(() -> template.setShortProperty(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, int value) {
        return set(() -> template.setIntProperty(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, long value) {
        return set(() -> template.setLongProperty(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, float value) {
        return set(() -> template.setFloatProperty(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, double value) {
        return set(() -> template.setDoubleProperty(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, @Nullable String value) {
        return set(() -> template.setStringProperty(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, @Nullable Object value) {
        return set(() -> template.setObjectProperty(name, value));
    }

    @Override
    public JMSProducer clearProperties() {
        return set(template::clearProperties);
    }

    @Override
    public boolean propertyExists(String name) {
        return call(() -> template.propertyExists(name));
    }

    @Override
    public boolean getBooleanProperty(String name) {
        return call(() -> template.getBooleanProperty(name));
    }

    @Override
    public byte getByteProperty(String name) {
        return call(() -> template.getByteProperty(name));
    }

    @Override
    public short getShortProperty(String name) {
        return call(() -> template.getShortProperty(name));
    }

    @Override
    public int getIntProperty(String name) {
        return call(() -> template.getIntProperty(name));
    }

    @Override
    public long getLongProperty(String name) {
        return call(() -> template.getLongProperty(name));
    }

    @Override
    public float getFloatProperty(String name) {
        return call(() -> template.getFloatProperty(name));
    }

    @Override
    public double getDoubleProperty(String name) {
        return call(() -> template.getDoubleProperty(name));
    }

    @Override
    public @Nullable String getStringProperty(String name) {
        return callNullable(() -> template.getStringProperty(name));
    }

    @Override
    public @Nullable Object getObjectProperty(String name) {
        return callNullable(() -> template.getObjectProperty(name));
    }

    @Override
    public Set<String> getPropertyNames() {
        Set<String> names = new LinkedHashSet<>();
        run(() -> {
            for (Enumeration<?> each = template.getPropertyNames(); each.hasMoreElements(); ) {
                names.add((String) each.nextElement());
            }
        });
        return Collections.unmodifiableSet(names);
    }

    @Override
    public JMSProducer setJMSCorrelationIDAsBytes(byte @Nullable [] id) {
        correlation = id == null ? null : id.clone();
        return set(() -> template.setJMSCorrelationIDAsBytes(id));
    }

    @Override
    public byte @Nullable [] getJMSCorrelationIDAsBytes() {
        return callNullable(template::getJMSCorrelationIDAsBytes);
    }

    @Override
    public JMSProducer setJMSCorrelationID(@Nullable String id) {
        correlation = id;
        return set(() -> template.setJMSCorrelationID(id));
    }

    @Override
    public @Nullable String getJMSCorrelationID() {
        return callNullable(template::getJMSCorrelationID);
    }

    @Override
    public JMSProducer setJMSType(@Nullable String type) {
        return set(() -> template.setJMSType(type));
    }

    @Override
    public @Nullable String getJMSType() {
        return callNullable(template::getJMSType);
    }

    @Override
    public JMSProducer setJMSReplyTo(@Nullable Destination replyTo) {
        return set(() -> template.setJMSReplyTo(replyTo));
    }

    @Override
    public @Nullable Destination getJMSReplyTo() {
        return callNullable(template::getJMSReplyTo);
    }
}
