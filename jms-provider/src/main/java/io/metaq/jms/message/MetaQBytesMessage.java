package io.metaq.jms.message;

import io.metaq.message.BodyKind;
import jakarta.jms.BytesMessage;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A message whose body is bytes, written one behind the other until {@link #reset}, then read. Numbers are big-endian. A read that
 * fails leaves the position where it was.
 *
 * <p>A large body need not be in memory: {@code setObjectProperty(INPUT_STREAM, in)} before a send takes it from a stream, while it is
 * sent; of a received message {@code getObjectProperty(INPUT_STREAM)} gives the body as a stream, and {@code
 * setObjectProperty(SAVE_STREAM, out)} writes it to one.
 */
public final class MetaQBytesMessage extends MetaQMessage implements BytesMessage {
    /** Property by which a body is sent from, or received as, an {@link InputStream}. */
    public static final String INPUT_STREAM = "JMS_MetaQ_InputStream";

    /** Property by which a received body is written to an {@link OutputStream}, before the setter returns. */
    public static final String SAVE_STREAM = "JMS_MetaQ_SaveStream";

    private ByteArrayOutputStream written = new ByteArrayOutputStream();
    private DataOutputStream out = new DataOutputStream(written);
    private BodySource body = BodySource.NONE;
    private long position;
    private @Nullable InputStream source;
    private final byte[] number = new byte[8];

    /** Stands for a stream that has been read. */
    private static final InputStream SENT = InputStream.nullInputStream();

    /** A message that is being made. */
    public MetaQBytesMessage() {}

    /** A received message with this body. */
    MetaQBytesMessage(BodySource body) {
        this.body = body;
    }

    @Override
    BodyKind kind() {
        return BodyKind.BYTES;
    }

    @Override
    ByteBuffer payload() throws JMSException {
        if (source != null) {
            return ByteBuffer.wrap(upTo(Integer.MAX_VALUE - 8, takeSource()));
        }
        return isBodyReadOnly() ? body.whole() : ByteBuffer.wrap(written.toByteArray());
    }

    /** Takes the body from its stream where it has one; a body that is not in memory is not brought there. */
    @Override
    public Encoded encode(SendHeaders headers, LargeBodies large) throws JMSException {
        if (source == null && !(isBodyReadOnly() && body.length() > large.threshold())) {
            return super.encode(headers, large);
        }
        headers.setOn(this);
        InputStream stream = source == null ? body.stream() : takeSource();
        byte[] beginning = upTo(large.threshold() + 1, stream);
        if (beginning.length <= large.threshold()) {
            return encode(headers, ByteBuffer.wrap(beginning));
        }
        InputStream all = new SequenceInputStream(new ByteArrayInputStream(beginning), stream);
        return encode(headers, large.store(headers.destination(), all));
    }

    /** A stream can be read once. */
    private InputStream takeSource() throws JMSException {
        InputStream taken = Objects.requireNonNull(source);
        source = SENT;
        if (taken == SENT) {
            throw new IllegalStateException(
                    "the stream of this message has been sent: set another one, or clearBody()");
        }
        return taken;
    }

    private static byte[] upTo(int count, InputStream stream) throws JMSException {
        try {
            return stream.readNBytes(count);
        } catch (IOException e) {
            throw failed("the stream of the message cannot be read: " + e, e);
        }
    }

    private static JMSException failed(String text, IOException cause) {
        JMSException failure = new JMSException(text);
        failure.initCause(cause);
        return failure;
    }

    /** Knows {@link #INPUT_STREAM}: a stream of its own, from the first byte on, for a body that can be read. */
    @Override
    public @Nullable Object getObjectProperty(String name) throws JMSException {
        if (INPUT_STREAM.equals(name)) {
            return isBodyReadOnly() ? body.stream() : source;
        }
        return super.getObjectProperty(name);
    }

    /** Knows {@link #INPUT_STREAM} and {@link #SAVE_STREAM}, which are about the body, and not sent. */
    @Override
    public void setObjectProperty(String name, @Nullable Object value) throws JMSException {
        if (INPUT_STREAM.equals(name) && (value == null || value instanceof InputStream)) {
            requireWriteableBody();
            startWriting();
            source = (InputStream) value;
        } else if (SAVE_STREAM.equals(name) && value instanceof OutputStream to) {
            requireReadableBody();
            try {
                body.stream().transferTo(to);
            } catch (IOException e) {
                throw failed("the body cannot be saved: " + e, e);
            }
        } else {
            super.setObjectProperty(name, value);
        }
    }

    @Override
    public void reset() throws JMSException {
        if (!isBodyReadOnly()) {
            body = BodySource.of(ByteBuffer.wrap(written.toByteArray()));
            startWriting();
            setBodyReadOnly(true);
        }
        position = 0;
    }

    @Override
    public void clearBody() throws JMSException {
        super.clearBody();
        body = BodySource.NONE;
        position = 0;
        source = null;
        startWriting();
    }

    private void startWriting() {
        written = new ByteArrayOutputStream();
        out = new DataOutputStream(written);
    }

    /** As the interface has it, the message is reset before and after. */
    @Override
    byte @Nullable [] bodyObject() throws JMSException {
        if (!isBodyReadOnly() && written.size() == 0) {
            return null;
        }
        reset();
        if (body.length() == 0) {
            return null;
        }
        return body.copy();
    }

    @Override
    public long getBodyLength() throws JMSException {
        requireReadableBody();
        return body.length();
    }

    /** The next {@code count} bytes, 8 at most, as a number. */
    private long next(int count) throws JMSException {
        requireReadableBody();
        if (body.length() - position < count) {
            throw new MessageEOFException(
                    "the body has " + (body.length() - position) + " of " + count + " bytes left");
        }
        body.read(position, number, 0, count);
        position += count;
        long value = 0;
        for (int i = 0; i < count; i++) {
            value = value << 8 | number[i] & 0xFF;
        }
        return value;
    }

    @Override
    public boolean readBoolean() throws JMSException {
        return next(1) != 0;
    }

    @Override
    public byte readByte() throws JMSException {
        return (byte) next(1);
    }

    @Override
    public int readUnsignedByte() throws JMSException {
        return (int) next(1);
    }

    @Override
    public short readShort() throws JMSException {
        return (short) next(2);
    }

    @Override
    public int readUnsignedShort() throws JMSException {
        return (int) next(2);
    }

    @Override
    public char readChar() throws JMSException {
        return (char) next(2);
    }

    @Override
    public int readInt() throws JMSException {
        return (int) next(4);
    }

    @Override
    public long readLong() throws JMSException {
        return next(8);
    }

    @Override
    public float readFloat() throws JMSException {
        return Float.intBitsToFloat((int) next(4));
    }

    @Override
    public double readDouble() throws JMSException {
        return Double.longBitsToDouble(next(8));
    }

    @Override
    public String readUTF() throws JMSException {
        long start = position;
        int length = readUnsignedShort();
        if (body.length() - position < length) {
            position = start;
            throw new MessageEOFException("the body ends within a text of " + length + " bytes");
        }
        byte[] bytes = new byte[2 + length];
        body.read(start, bytes, 0, bytes.length);
        try {
            String text = new DataInputStream(new ByteArrayInputStream(bytes)).readUTF();
            position = start + bytes.length;
            return text;
        } catch (IOException e) {
            position = start;
            MessageFormatException malformed = new MessageFormatException("no text as of writeUTF: " + e);
            malformed.initCause(e);
            throw malformed;
        }
    }

    @Override
    public int readBytes(byte[] value) throws JMSException {
        return readBytes(value, value.length);
    }

    /** @throws IndexOutOfBoundsException if the length is negative or longer than the array */
    @Override
    public int readBytes(byte[] value, int length) throws JMSException {
        requireReadableBody();
        if (length < 0 || length > value.length) {
            throw new IndexOutOfBoundsException(length + " bytes into an array of " + value.length);
        }
        int count = (int) Math.min(length, body.length() - position);
        if (count == 0 && length > 0) {
            return -1;
        }
        body.read(position, value, 0, count);
        position += count;
        return count;
    }

    /** A write to memory. */
    private interface Write {
        void to(DataOutputStream out) throws IOException;
    }

    private void write(Write write) throws JMSException {
        requireWriteableBody();
        try {
            write.to(out);
        } catch (IOException e) {
            MessageFormatException failure = new MessageFormatException("cannot be written: " + e);
            failure.initCause(e);
            throw failure;
        }
    }

    @Override
    public void writeBoolean(boolean value) throws JMSException {
        write(o -> o.writeBoolean(value));
    }

    @Override
    public void writeByte(byte value) throws JMSException {
        write(o -> o.writeByte(value));
    }

    @Override
    public void writeShort(short value) throws JMSException {
        write(o -> o.writeShort(value));
    }

    @Override
    public void writeChar(char value) throws JMSException {
        write(o -> o.writeChar(value));
    }

    @Override
    public void writeInt(int value) throws JMSException {
        write(o -> o.writeInt(value));
    }

    @Override
    public void writeLong(long value) throws JMSException {
        write(o -> o.writeLong(value));
    }

    @Override
    public void writeFloat(float value) throws JMSException {
        write(o -> o.writeFloat(value));
    }

    @Override
    public void writeDouble(double value) throws JMSException {
        write(o -> o.writeDouble(value));
    }

    /** @throws MessageFormatException if it has more than 65,535 bytes in modified UTF-8 */
    @Override
    public void writeUTF(String value) throws JMSException {
        write(o -> o.writeUTF(value));
    }

    @Override
    public void writeBytes(byte[] value) throws JMSException {
        writeBytes(value, 0, value.length);
    }

    @Override
    public void writeBytes(byte[] value, int offset, int length) throws JMSException {
        write(o -> o.write(value, offset, length));
    }

    /**
     * @throws NullPointerException for null
     * @throws MessageFormatException for what is none of the types that can be written
     */
    @Override
    public void writeObject(Object value) throws JMSException {
        requireWriteableBody();
        if (value == null) {
            throw new NullPointerException("null cannot be written to a BytesMessage");
        } else if (value instanceof Boolean bool) {
            writeBoolean(bool);
        } else if (value instanceof Byte small) {
            writeByte(small);
        } else if (value instanceof Short small) {
            writeShort(small);
        } else if (value instanceof Character character) {
            writeChar(character);
        } else if (value instanceof Integer whole) {
            writeInt(whole);
        } else if (value instanceof Long whole) {
            writeLong(whole);
        } else if (value instanceof Float real) {
            writeFloat(real);
        } else if (value instanceof Double real) {
            writeDouble(real);
        } else if (value instanceof String text) {
            writeUTF(text);
        } else if (value instanceof byte[] bytes) {
            writeBytes(bytes);
        } else {
            throw Conversions.notAllowed(value);
        }
    }
}
