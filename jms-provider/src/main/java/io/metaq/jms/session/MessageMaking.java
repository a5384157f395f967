package io.metaq.jms.session;

import io.metaq.jms.message.MetaQBytesMessage;
import io.metaq.jms.message.MetaQMapMessage;
import io.metaq.jms.message.MetaQMessage;
import io.metaq.jms.message.MetaQObjectMessage;
import io.metaq.jms.message.MetaQStreamMessage;
import io.metaq.jms.message.MetaQTextMessage;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** The part of a session that makes messages. */
abstract class MessageMaking implements MetaQSession {

    /** @throws jakarta.jms.IllegalStateException when the session is closed */
    abstract void checkOpen() throws JMSException;

    @Override
    public BytesMessage createBytesMessage() throws JMSException {
        checkOpen();
        return new MetaQBytesMessage();
    }

    @Override
    public MapMessage createMapMessage() throws JMSException {
        checkOpen();
        return new MetaQMapMessage();
    }

    @Override
    public Message createMessage() throws JMSException {
        checkOpen();
        return new MetaQMessage();
    }

    @Override
    public ObjectMessage createObjectMessage() throws JMSException {
        checkOpen();
        return new MetaQObjectMessage();
    }

    @Override
    public ObjectMessage createObjectMessage(@Nullable Serializable object) throws JMSException {
        ObjectMessage message = createObjectMessage();
        message.setObject(object);
        return message;
    }

    @Override
    public StreamMessage createStreamMessage() throws JMSException {
        checkOpen();
        return new MetaQStreamMessage();
    }

    @Override
    public TextMessage createTextMessage() throws JMSException {
        checkOpen();
        return new MetaQTextMessage();
    }

    @Override
    public TextMessage createTextMessage(@Nullable String text) throws JMSException {
        TextMessage message = createTextMessage();
        message.setText(text);
        return message;
    }
}
