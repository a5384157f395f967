package io.metaq.jms.message;

import io.metaq.message.BodyKind;
import io.metaq.message.MessageBody;
import jakarta.jms.JMSException;
import jakarta.jms.TextMessage;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A message whose body is a text, which may be null. */
public final class MetaQTextMessage extends MetaQMessage implements TextMessage {
    private @Nullable String text;
    private @Nullable BodySource unread;

    /** A message that is being made. */
    public MetaQTextMessage() {}

    /** A received message with this body, which is read when it is asked for. */
    MetaQTextMessage(BodySource body) {
        this.unread = body;
    }

    @Override
    BodyKind kind() {
        return text == null && unread == null ? BodyKind.NULL_TEXT : BodyKind.TEXT;
    }

    @Override
    ByteBuffer payload() throws JMSException {
        String current = getText();
        return current == null ? ByteBuffer.allocate(0) : ByteBuffer.wrap(MessageBody.encodeText(current));
    }

    @Override
    public void setText(@Nullable String text) throws JMSException {
        requireWriteableBody();
        this.text = text;
    }

    @Override
    public @Nullable String getText() throws JMSException {
        if (unread != null) {
            text = MessageBody.decodeText(unread.whole());
            unread = null;
        }
        return text;
    }

    @Override
    public void clearBody() throws JMSException {
        super.clearBody();
        text = null;
        unread = null;
    }

    @Override
    @Nullable
    Object bodyObject() throws JMSException {
        return getText();
    }
}
