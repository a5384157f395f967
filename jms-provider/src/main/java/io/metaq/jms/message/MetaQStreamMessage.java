package io.metaq.jms.message;

import io.metaq.message.BodyKind;
import io.metaq.message.MalformedPropertiesException;
import io.metaq.message.MessageBody;
import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.StreamMessage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message whose body is values in order, written until {@link #reset}, then read. A read that fails leaves the position where it
 * was. A byte array that {@link #readBytes} has begun must be read to its end before anything else is.
 */
public final class MetaQStreamMessage extends MetaQMessage implements StreamMessage {
    private static final int NOT_BEGUN = -1;

    private List<@Nullable Object> values = new ArrayList<>();
    private @Nullable BodySource unread;
    private int position;
    /** How many bytes of the array at the position have been read. */
    private int bytesRead = NOT_BEGUN;

    /** A message that is being made. */
    public MetaQStreamMessage() {}

    /** A received message with this body, which is read when it is asked for. */
    MetaQStreamMessage(BodySource body) {
        this.unread = body;
    }

    private List<@Nullable Object> values() throws JMSException {
        if (unread != null) {
            try {
                values = MessageBody.decodeStream(unread.whole());
            } catch (MalformedPropertiesException e) {
                MessageFormatException failure = new MessageFormatException("the body is no stream: " + e.getMessage());
                failure.initCause(e);
                throw failure;
            }
            unread = null;
        }
        return values;
    }

    @Override
    BodyKind kind() {
        return BodyKind.STREAM;
    }

    @Override
    ByteBuffer payload() throws JMSException {
        return ByteBuffer.wrap(MessageBody.encodeStream(values()));
    }

    @Override
    public void reset() throws JMSException {
        setBodyReadOnly(true);
        position = 0;
        bytesRead = NOT_BEGUN;
    }

    @Override
    public void clearBody() throws JMSException {
        super.clearBody();
        values = new ArrayList<>();
        unread = null;
        position = 0;
        bytesRead = NOT_BEGUN;
    }

    /** Always refused: the interface knows no object for a stream. */
    @Override
    public <T> @Nullable T getBody(Class<T> type) throws JMSException {
        throw new MessageFormatException("a StreamMessage has no body as one object");
    }

    @Override
    public boolean isBodyAssignableTo(@SuppressWarnings("rawtypes") Class type) {
        return false;
    }

    /** Takes the next value through a conversion, and goes on only if that succeeds. */
    private interface Conversion<T> {
        T of(@Nullable Object value) throws MessageFormatException;
    }

    private <T> T next(Conversion<T> conversion) throws JMSException {
        T value = conversion.of(nextField());
        position++;
        return value;
    }

    /** The value at the position, where no array has been begun. */
    private @Nullable Object nextField() throws JMSException {
        Object value = current();
        if (bytesRead != NOT_BEGUN) {
            throw new MessageFormatException("the byte array that readBytes began has not been read to its end");
        }
        return value;
    }

    private @Nullable Object current() throws JMSException {
        requireReadableBody();
        if (position >= values().size()) {
            throw new MessageEOFException("the stream has " + values().size() + " values, and all are read");
        }
        return values().get(position);
    }

    @Override
    public boolean readBoolean() throws JMSException {
        return next(Conversions::toBoolean);
    }

    @Override
    public byte readByte() throws JMSException {
        return next(Conversions::toByte);
    }

    @Override
    public short readShort() throws JMSException {
        return next(Conversions::toShort);
    }

    @Override
    public char readChar() throws JMSException {
        return next(Conversions::toChar);
    }

    @Override
    public int readInt() throws JMSException {
        return next(Conversions::toInt);
    }

    @Override
    public long readLong() throws JMSException {
        return next(Conversions::toLong);
    }

    @Override
    public float readFloat() throws JMSException {
        return next(Conversions::toFloat);
    }

    @Override
    public double readDouble() throws JMSException {
        return next(Conversions::toDouble);
    }

    @Override
    public @Nullable String readString() throws JMSException {
        String text = Conversions.toText(nextField());
        position++;
        return text;
    }

    @Override
    public @Nullable Object readObject() throws JMSException {
        Object value = nextField();
        position++;
        return value instanceof byte[] bytes ? bytes.clone() : value;
    }

    /**
     * Reads on in the byte array at the position.
     *
     * @return how many bytes; less than the buffer holds, or -1, at the array's end; 0 for an empty array, -1 for null
     */
    @Override
    public int readBytes(byte[] buffer) throws JMSException {
        byte[] field = Conversions.toBytes(current());
        if (field == null) {
            position++;
            return -1;
        }
        int from = Math.max(bytesRead, 0);
        int count = Math.min(buffer.length, field.length - from);
        System.arraycopy(field, from, buffer, 0, count);
        boolean began = bytesRead != NOT_BEGUN;
        if (count < buffer.length || buffer.length == 0 && from == field.length) {
            position++;
            bytesRead = NOT_BEGUN;
            return count == 0 && began ? -1 : count;
        }
        bytesRead = from + count;
        return count;
    }

    private void write(@Nullable Object value) throws JMSException {
        requireWriteableBody();
        values().add(Conversions.checked(value));
    }

    @Override
    public void writeBoolean(boolean value) throws JMSException {
        write(value);
    }

    @Override
    public void writeByte(byte value) throws JMSException {
        write(value);
    }

    @Override
    public void writeShort(short value) throws JMSException {
        write(value);
    }

    @Override
    public void writeChar(char value) throws JMSException {
        write(value);
    }

    @Override
    public void writeInt(int value) throws JMSException {
        write(value);
    }

    @Override
    public void writeLong(long value) throws JMSException {
        write(value);
    }

    @Override
    public void writeFloat(float value) throws JMSException {
        write(value);
    }

    @Override
    public void writeDouble(double value) throws JMSException {
        write(value);
    }

    @Override
    public void writeString(@Nullable String value) throws JMSException {
        write(value);
    }

    @Override
    public void writeBytes(byte @Nullable [] value) throws JMSException {
        write(value);
    }

    @Override
    public void writeBytes(byte[] value, int offset, int length) throws JMSException {
        requireWriteableBody();
        write(ByteRange.copy(value, offset, length));
    }

    /** @throws MessageFormatException for what is none of the types that a stream has */
    @Override
    public void writeObject(@Nullable Object value) throws JMSException {
        write(value);
    }
}
