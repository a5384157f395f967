package io.metaq.jms.message;

import io.metaq.jms.destination.MetaQDestination;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageEOFException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.util.Enumeration;

/** Our own form of any provider's message, read through the interfaces only (section 3.12). */
public final class MessageCopy {
    private static final int CHUNK = 8192;

    private MessageCopy() {}

    /**
     * The message itself if it is ours, else a copy of what a sender can set: body, properties, and the headers JMSCorrelationID,
     * JMSReplyTo and JMSType. Bytes and streams are reset before and after.
     *
     * @throws JMSException if the message does not let itself be read, or has values that no message of JMS has
     */
    public static MetaQMessage of(Message message) throws JMSException {
        if (message instanceof MetaQMessage ours) {
            return ours;
        }
        MetaQMessage copy = body(message);
        copy.setJMSCorrelationID(message.getJMSCorrelationID());
        MetaQDestination replyTo = MetaQMessage.ours(message.getJMSReplyTo());
        copy.setJMSReplyTo(replyTo);
        copy.setJMSType(message.getJMSType());
        Enumeration<?> names = message.getPropertyNames();
        while (names.hasMoreElements()) {
            String name = String.valueOf(names.nextElement());
            // The other providers' own properties of a received message are not those of this one.
            if (!name.startsWith("JMS") || name.startsWith("JMS_") || name.startsWith("JMSXGroup")) {
                copy.setObjectProperty(name, message.getObjectProperty(name));
            }
        }
        return copy;
    }

    private static MetaQMessage body(Message message) throws JMSException {
        if (message instanceof TextMessage text) {
            MetaQTextMessage copy = new MetaQTextMessage();
            copy.setText(text.getText());
            return copy;
        } else if (message instanceof BytesMessage bytes) {
            return bytes(bytes);
        } else if (message instanceof MapMessage map) {
            return map(map);
        } else if (message instanceof StreamMessage stream) {
            return stream(stream);
        } else if (message instanceof ObjectMessage object) {
            MetaQObjectMessage copy = new MetaQObjectMessage();
            copy.setObject(object.getObject());
            return copy;
        }
        return new MetaQMessage();
    }

    private static MetaQMessage bytes(BytesMessage from) throws JMSException {
        MetaQBytesMessage copy = new MetaQBytesMessage();
        from.reset();
        byte[] chunk = new byte[CHUNK];
        for (int count = from.readBytes(chunk); count > 0; count = from.readBytes(chunk)) {
            copy.writeBytes(chunk, 0, count);
        }
        from.reset();
        return copy;
    }

    private static MetaQMessage map(MapMessage from) throws JMSException {
        MetaQMapMessage copy = new MetaQMapMessage();
        Enumeration<?> names = from.getMapNames();
        while (names.hasMoreElements()) {
            String name = String.valueOf(names.nextElement());
            copy.setObject(name, from.getObject(name));
        }
        return copy;
    }

    private static MetaQMessage stream(StreamMessage from) throws JMSException {
        MetaQStreamMessage copy = new MetaQStreamMessage();
        from.reset();
        try {
            while (true) {
                copy.writeObject(from.readObject());
            }
        } catch (MessageEOFException end) {
            from.reset();
        }
        return copy;
    }
}
