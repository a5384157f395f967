package io.metaq.jms.message;

import io.metaq.jms.destination.MetaQDestination;
import io.metaq.message.BodyKind;
import io.metaq.message.HeaderField;
import io.metaq.message.PropertyBlock;
import io.metaq.message.PropertyBlockWriter;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.MessageNotWriteableException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A message without a body, and what all messages have in common. As the specification says of messages, it is for one thread at a
 * time. A received message reads its headers from the bytes when the first of them is asked for: who wants the body alone does not
 * pay for them.
 */
public class MetaQMessage extends PropertyAccess {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

    private @Nullable PropertyBlock unreadHeaders;
    private @Nullable Acknowledger acknowledger;
    private boolean bodyReadOnly;

    private @Nullable String messageId;
    private long timestamp;
    private @Nullable Object correlationId;
    private @Nullable Destination replyTo;
    private @Nullable Destination destination;
    private int deliveryMode = DeliveryMode.PERSISTENT;
    private boolean redelivered;
    private @Nullable String type;
    private long expiration;
    private long deliveryTime;
    private int priority = DEFAULT_PRIORITY;

    /** A message that is being made. */
    public MetaQMessage() {}

    /** Makes a received message of a new one. The payload is the subclass's affair. */
    void received(@Nullable PropertyBlock block, long brokerId, int deliveryCount, MetaQDestination from) {
        properties(new MessageProperties(block, deliveryCount));
        unreadHeaders = block;
        messageId = "ID:" + brokerId;
        redelivered = deliveryCount > 1;
        destination = from;
        bodyReadOnly = true;
    }

    private void readHeaders() {
        if (unreadHeaders != null) {
            PropertyBlock block = unreadHeaders;
            unreadHeaders = null;
            block.forEachHeader(this::readHeader);
        }
    }

    private void readHeader(HeaderField field, @Nullable Object value) {
        if (value == null) {
            return;
        }
        switch (field) {
            case MESSAGE_ID -> messageId = value.toString();
            case TIMESTAMP -> timestamp = number(value);
            case EXPIRATION -> expiration = number(value);
            case DELIVERY_TIME -> deliveryTime = number(value);
            case PRIORITY -> priority = (int) number(value);
            case DELIVERY_MODE -> deliveryMode = (int) number(value);
            case CORRELATION_ID -> correlationId = value;
            case REPLY_TO -> replyTo = parsed(value, null);
            case TYPE -> type = value.toString();
            case DESTINATION -> destination = parsed(value, destination);
            default -> {
                // The others are for brokers, or shown as properties.
            }
        }
    }

    private static long number(Object value) {
        return value instanceof Number number ? number.longValue() : 0;
    }

    /** A text that names no destination comes from a client that means something else by it. */
    private static @Nullable Destination parsed(Object uri, @Nullable Destination otherwise) {
        try {
            return MetaQDestination.parse(uri.toString());
        } catch (IllegalArgumentException e) {
            return otherwise;
        }
    }

    /**
     * The message as it is to be stored, with these headers, which are set on it too. The message can be changed and sent again
     * afterwards; what was encoded does not change.
     *
     * @throws JMSException if the body cannot be encoded
     */
    public Encoded encode(SendHeaders headers) throws JMSException {
        headers.setOn(this);
        return encode(headers, payload());
    }

    /**
     * The same, with the body stored elsewhere if it is large; blocks while it is stored.
     *
     * @throws JMSException if the body cannot be encoded, or not be stored
     */
    public Encoded encode(SendHeaders headers, LargeBodies large) throws JMSException {
        headers.setOn(this);
        ByteBuffer payload = payload();
        if (payload.remaining() <= large.threshold()) {
            return encode(headers, payload);
        }
        return encode(headers, large.store(headers.destination(), BodySource.of(payload).stream()));
    }

    final Encoded encode(SendHeaders headers, ByteBuffer payload) {
        PropertyBlockWriter block = new PropertyBlockWriter();
        writeTo(block, headers);
        return new Encoded(block.flags(), block.join(payload));
    }

    final Encoded encode(SendHeaders headers, StoredBody stored) {
        PropertyBlockWriter block = new PropertyBlockWriter();
        writeTo(block, headers);
        stored.writeTo(block);
        return new Encoded(block.flags(), block.join(stored.payload()));
    }

    private void writeTo(PropertyBlockWriter block, SendHeaders headers) {
        readHeaders();
        block.header(HeaderField.BODY_KIND, kind().number());
        block.header(HeaderField.MESSAGE_ID, headers.messageId());
        block.header(HeaderField.TIMESTAMP, headers.sendTime());
        block.header(HeaderField.EXPIRATION, headers.expiration());
        if (headers.deliveryDelay() > 0) {
            block.header(HeaderField.DELIVERY_TIME, headers.deliveryTime());
        }
        block.header(HeaderField.PRIORITY, headers.priority());
        block.header(HeaderField.DELIVERY_MODE, headers.deliveryMode());
        block.header(HeaderField.CORRELATION_ID, correlationId);
        block.header(HeaderField.TYPE, type);
        block.header(HeaderField.ORIGIN, headers.origin());
        MetaQDestination answer = ours(replyTo);
        block.header(HeaderField.REPLY_TO, answer == null ? null : answer.toUri());
        properties().writeTo(block);
    }

    /** Our form of it; null where it is none that an answer could be sent to, which must not break the send. */
    static @Nullable MetaQDestination ours(@Nullable Destination destination) {
        try {
            return MetaQDestination.from(destination);
        } catch (InvalidDestinationException e) {
            return null;
        } catch (JMSException e) {
            return null;
        }
    }

    /** What the payload is. */
    BodyKind kind() {
        return BodyKind.MESSAGE;
    }

    /** The payload as it is now, from the buffer's position to its limit; nobody changes it afterwards. */
    ByteBuffer payload() throws JMSException {
        return NOTHING;
    }

    /** Whether it has expired, without reading more than needed. */
    public boolean isExpired(long nowMs) {
        PropertyBlock block = unreadHeaders;
        long end = block == null ? expiration : block.headerLong(HeaderField.EXPIRATION, 0);
        return end > 0 && end <= nowMs;
    }

    /** What {@link #acknowledge} does. */
    public void acknowledger(@Nullable Acknowledger acknowledger) {
        this.acknowledger = acknowledger;
    }

    /** Does nothing for a message that was not received. */
    @Override
    public void acknowledge() throws JMSException {
        if (acknowledger != null) {
            acknowledger.acknowledge(this);
        }
    }

    final void requireWriteableBody() throws MessageNotWriteableException {
        if (bodyReadOnly) {
            throw new MessageNotWriteableException("the body is read-only until clearBody()");
        }
    }

    final void requireReadableBody() throws MessageNotReadableException {
        if (!bodyReadOnly) {
            throw new MessageNotReadableException("the body is write-only until reset()");
        }
    }

    final boolean isBodyReadOnly() {
        return bodyReadOnly;
    }

    final void setBodyReadOnly(boolean readOnly) {
        bodyReadOnly = readOnly;
    }

    @Override
    public void clearBody() throws JMSException {
        bodyReadOnly = false;
    }

    /** The body as an object for {@link #getBody}, null if there is none. Subclasses give theirs. */
    @Nullable
    Object bodyObject() throws JMSException {
        return null;
    }

    /** The class that the body is for {@link #isBodyAssignableTo} where it does not depend on the object. */
    boolean isOf(Class<?> type, Object body) {
        return type.isInstance(body);
    }

    @Override
    public <T> @Nullable T getBody(Class<T> type) throws JMSException {
        Object body = bodyObject();
        if (body == null) {
            return null;
        }
        if (!isOf(type, body)) {
            throw new MessageFormatException("a body of " + body.getClass().getName() + " is no " + type.getName());
        }
        return type.cast(body);
    }

    @Override
    public boolean isBodyAssignableTo(@SuppressWarnings("rawtypes") Class type) throws JMSException {
        Object body = bodyObject();
        return body == null || isOf((Class<?>) type, body);
    }

    @Override
    public @Nullable String getJMSMessageID() throws JMSException {
        readHeaders();
        return messageId;
    }

    @Override
    public void setJMSMessageID(@Nullable String id) throws JMSException {
        readHeaders();
        messageId = id;
    }

    @Override
    public long getJMSTimestamp() throws JMSException {
        readHeaders();
        return timestamp;
    }

    @Override
    public void setJMSTimestamp(long timestamp) throws JMSException {
        readHeaders();
        this.timestamp = timestamp;
    }

    @Override
    public byte @Nullable [] getJMSCorrelationIDAsBytes() throws JMSException {
        readHeaders();
        if (correlationId instanceof byte[] bytes) {
            return bytes.clone();
        }
        return correlationId == null ? null : correlationId.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void setJMSCorrelationIDAsBytes(byte @Nullable [] correlationId) throws JMSException {
        readHeaders();
        this.correlationId = correlationId == null ? null : correlationId.clone();
    }

    @Override
    public void setJMSCorrelationID(@Nullable String correlationId) throws JMSException {
        readHeaders();
        this.correlationId = correlationId;
    }

    @Override
    public @Nullable String getJMSCorrelationID() throws JMSException {
        readHeaders();
        if (correlationId instanceof byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
        return (String) correlationId;
    }

    @Override
    public @Nullable Destination getJMSReplyTo() throws JMSException {
        readHeaders();
        return replyTo;
    }

    @Override
    public void setJMSReplyTo(@Nullable Destination replyTo) throws JMSException {
        readHeaders();
        this.replyTo = replyTo;
    }

    @Override
    public @Nullable Destination getJMSDestination() throws JMSException {
        readHeaders();
        return destination;
    }

    @Override
    public void setJMSDestination(@Nullable Destination destination) throws JMSException {
        readHeaders();
        this.destination = destination;
    }

    @Override
    public int getJMSDeliveryMode() throws JMSException {
        readHeaders();
        return deliveryMode;
    }

    @Override
    public void setJMSDeliveryMode(int deliveryMode) throws JMSException {
        readHeaders();
        this.deliveryMode = deliveryMode;
    }

    @Override
    public boolean getJMSRedelivered() throws JMSException {
        return redelivered;
    }

    @Override
    public void setJMSRedelivered(boolean redelivered) throws JMSException {
        this.redelivered = redelivered;
    }

    @Override
    public @Nullable String getJMSType() throws JMSException {
        readHeaders();
        return type;
    }

    @Override
    public void setJMSType(@Nullable String type) throws JMSException {
        readHeaders();
        this.type = type;
    }

    @Override
    public long getJMSExpiration() throws JMSException {
        readHeaders();
        return expiration;
    }

    @Override
    public void setJMSExpiration(long expiration) throws JMSException {
        readHeaders();
        this.expiration = expiration;
    }

    /** The time of the send where there was no delay. */
    @Override
    public long getJMSDeliveryTime() throws JMSException {
        readHeaders();
        return deliveryTime == 0 ? timestamp : deliveryTime;
    }

    @Override
    public void setJMSDeliveryTime(long deliveryTime) throws JMSException {
        readHeaders();
        this.deliveryTime = deliveryTime;
    }

    @Override
    public int getJMSPriority() throws JMSException {
        readHeaders();
        return priority;
    }

    @Override
    public void setJMSPriority(int priority) throws JMSException {
        readHeaders();
        this.priority = priority;
    }

    @Override
    public void clearProperties() throws JMSException {
        // Headers are no properties, but stand in the same block.
        readHeaders();
        properties().clear();
    }

    /** The kind of message and its id, for logs. */
    @Override
    public String toString() {
        readHeaders();
        return getClass().getSimpleName() + "[" + messageId + "]";
    }
}
