package io.metaq.jms.message;

import io.metaq.jms.destination.MetaQDestination;
import io.metaq.message.BodyKind;
import io.metaq.message.MalformedPropertiesException;
import io.metaq.message.MessageBody;
import io.metaq.message.PropertyBlock;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Makes messages of what the broker delivers. Bodies are read when they are asked for. What no JMS client has sent is a BytesMessage:
 * a message without properties, or one whose properties are damaged, which is better shown than lost or blocking its queue.
 */
public final class MessageDecoder {
    private final AllowedClasses allowed;

    /** @param allowed what ObjectMessages may be made of */
    public MessageDecoder(AllowedClasses allowed) {
        this.allowed = allowed;
    }

    /**
     * A received message, read-only, with its headers, and with JMSXDeliveryCount among its properties.
     *
     * @param from the consumer's destination, which is that of the message unless the message says otherwise
     * @param messageId the broker's id
     * @param body attribute, property block and payload as the flag says; not copied, and not to be changed by anyone
     * @param deliveryCount 1 for the first delivery
     */
    public MetaQMessage decode(MetaQDestination from, long messageId, int flag, ByteBuffer body, int deliveryCount) {
        PropertyBlock block = null;
        MetaQMessage message;
        try {
            block = PropertyBlock.ofBody(flag, body);
            message = withBody(block == null ? null : BodyKind.of(block.check()), MessageBody.payload(flag, body));
        } catch (MalformedPropertiesException e) {
            block = null;
            message = new MetaQBytesMessage(BodySource.of(body));
        }
        message.received(block, messageId, deliveryCount, from);
        return message;
    }

    private MetaQMessage withBody(@Nullable BodyKind kind, ByteBuffer payload) {
        if (kind == null) {
            return new MetaQBytesMessage(BodySource.of(payload));
        }
        return switch (kind) {
            case MESSAGE -> new MetaQMessage();
            case TEXT -> new MetaQTextMessage(payload);
            case NULL_TEXT -> new MetaQTextMessage();
            case BYTES -> new MetaQBytesMessage(BodySource.of(payload));
            case MAP -> new MetaQMapMessage(payload);
            case STREAM -> new MetaQStreamMessage(payload);
            case OBJECT -> new MetaQObjectMessage(payload, allowed);
        };
    }
}
