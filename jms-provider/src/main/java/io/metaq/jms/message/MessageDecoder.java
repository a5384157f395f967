package io.metaq.jms.message;

import io.metaq.jms.destination.MetaQDestination;
import io.metaq.message.BodyKind;
import io.metaq.message.MalformedPropertiesException;
import io.metaq.message.MessageBody;
import io.metaq.message.MessageFlags;
import io.metaq.message.PropertyBlock;
import java.nio.ByteBuffer;

/**
 * Makes messages of what the broker delivers. Bodies are read when they are asked for. What no JMS client has sent is a BytesMessage:
 * a message without properties, or one whose properties are damaged, which is better shown than lost or blocking its queue.
 */
public final class MessageDecoder {
    private final AllowedClasses allowed;
    private final LargeBodies large;

    /**
     * @param allowed what ObjectMessages may be made of
     * @param large where large bodies are fetched, when they are read
     */
    public MessageDecoder(AllowedClasses allowed, LargeBodies large) {
        this.allowed = allowed;
        this.large = large;
    }

    /** For messages that are whole: the body of a large one cannot be read. */
    public MessageDecoder(AllowedClasses allowed) {
        this(allowed, NoLargeBodies.INSTANCE);
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
            ByteBuffer payload = MessageBody.payload(flag, body);
            message = block == null
                    ? new MetaQBytesMessage(BodySource.of(payload))
                    : withBody(BodyKind.of(block.check()), source(flag, block, payload));
        } catch (MalformedPropertiesException e) {
            block = null;
            message = new MetaQBytesMessage(BodySource.of(body));
        }
        message.received(block, messageId, deliveryCount, from);
        return message;
    }

    private BodySource source(int flag, PropertyBlock block, ByteBuffer payload) {
        return MessageFlags.has(flag, MessageFlags.LARGE)
                ? new ChunkedBody(large, StoredBody.of(block, payload))
                : BodySource.of(payload);
    }

    private MetaQMessage withBody(BodyKind kind, BodySource body) {
        return switch (kind) {
            case MESSAGE -> new MetaQMessage();
            case TEXT -> new MetaQTextMessage(body);
            case NULL_TEXT -> new MetaQTextMessage();
            case BYTES -> new MetaQBytesMessage(body);
            case MAP -> new MetaQMapMessage(body);
            case STREAM -> new MetaQStreamMessage(body);
            case OBJECT -> new MetaQObjectMessage(body, allowed);
        };
    }
}
