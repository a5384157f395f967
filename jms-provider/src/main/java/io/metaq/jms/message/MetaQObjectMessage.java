package io.metaq.jms.message;

import io.metaq.message.BodyKind;
import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ObjectMessage;
import java.io.Serializable;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A message whose body is an object in Java's serialization. It is serialised when it is set, so that later changes to it are not
 * seen, and made anew whenever it is asked for.
 */
public final class MetaQObjectMessage extends MetaQMessage implements ObjectMessage {
    private BodySource serialized;
    private AllowedClasses allowed;

    /** A message that is being made. What its own application has set, it may read. */
    public MetaQObjectMessage() {
        this(BodySource.NONE, AllowedClasses.ALL);
    }

    /** A received message with this body. */
    MetaQObjectMessage(BodySource body, AllowedClasses allowed) {
        this.serialized = body;
        this.allowed = allowed;
    }

    @Override
    BodyKind kind() {
        return BodyKind.OBJECT;
    }

    @Override
    ByteBuffer payload() throws JMSException {
        return serialized.whole();
    }

    /** @throws MessageFormatException if it cannot be serialised */
    @Override
    public void setObject(@Nullable Serializable object) throws JMSException {
        requireWriteableBody();
        serialized = object == null ? BodySource.NONE : BodySource.of(ByteBuffer.wrap(ObjectBytes.write(object)));
        allowed = AllowedClasses.ALL;
    }

    /** @throws MessageFormatException if it is of classes that are not allowed or not there, or no serialised object */
    @Override
    public @Nullable Serializable getObject() throws JMSException {
        return serialized.length() > 0 ? ObjectBytes.read(serialized.whole(), allowed) : null;
    }

    @Override
    public void clearBody() throws JMSException {
        super.clearBody();
        serialized = BodySource.NONE;
    }

    @Override
    @Nullable
    Object bodyObject() throws JMSException {
        return getObject();
    }

    @Override
    public boolean isBodyAssignableTo(@SuppressWarnings("rawtypes") Class type) throws JMSException {
        try {
            return super.isBodyAssignableTo(type);
        } catch (MessageFormatException e) {
            // As the interface has it: what cannot be read can be assigned to nothing.
            return false;
        }
    }
}
