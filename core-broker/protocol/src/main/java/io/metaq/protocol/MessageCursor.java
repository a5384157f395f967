package io.metaq.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Walks over the whole messages of a buffer without copying them. A message that the buffer ends in the middle of is not an error:
 * it is where the next {@code get} begins. The cursor neither moves the buffer's indices nor owns the buffer.
 *
 * <pre>
 * MessageCursor cursor = new MessageCursor(value.body());
 * while (cursor.next()) { … cursor.id(), cursor.payload() … }
 * nextOffset += cursor.consumed();
 * </pre>
 */
public final class MessageCursor {
    private final ByteBuf buffer;
    private final int start;
    private final int end;
    private int at;
    private int next;

    public MessageCursor(ByteBuf buffer) {
        this.buffer = buffer;
        this.start = buffer.readerIndex();
        this.end = buffer.writerIndex();
        this.at = start;
        this.next = start;
    }

    public MessageCursor(ByteBuffer buffer) {
        this(Unpooled.wrappedBuffer(buffer));
    }

    /**
     * Moves to the next whole message.
     *
     * @return false at the end, or where only a part of a message is left
     * @throws DamagedMessageException if the bytes there cannot be a message header
     */
    public boolean next() {
        if (end - next < StoredMessage.HEADER_LENGTH) {
            return false;
        }
        int length = buffer.getInt(next);
        if (length < 0) {
            throw new DamagedMessageException(next - start, "negative body length " + length);
        }
        if (length > end - next - StoredMessage.HEADER_LENGTH) {
            return false;
        }
        at = next;
        next += StoredMessage.HEADER_LENGTH + length;
        return true;
    }

    /** Bytes from the buffer's start to the end of the current message: what to add to the offset of the slice. */
    public int consumed() {
        return next - start;
    }

    /** Distance of the current message's header from the buffer's start. */
    public int position() {
        return at - start;
    }

    /** Length of the message after the last whole one, its header included; 0 if not even its header is here. */
    public long lengthOfRest() {
        return end - next < StoredMessage.HEADER_LENGTH ? 0 : (long) buffer.getInt(next) + StoredMessage.HEADER_LENGTH;
    }

    public int bodyLength() {
        return buffer.getInt(at);
    }

    public int checksum() {
        return buffer.getInt(at + StoredMessage.CHECKSUM_OFFSET);
    }

    public long id() {
        return buffer.getLong(at + StoredMessage.ID_OFFSET);
    }

    public int flag() {
        return buffer.getInt(at + StoredMessage.FLAG_OFFSET);
    }

    /** Whether the checksum in the header is that of the body. */
    public boolean intact() {
        return checksum() == StoredMessage.checksum(buffer, bodyIndex(), bodyLength());
    }

    /** The body as a slice that shares the buffer's life: not retained. */
    public ByteBuf body() {
        return buffer.slice(bodyIndex(), bodyLength());
    }

    /** The attribute, or null if the message has none. */
    public @Nullable String attribute() {
        int length = attributeLength();
        return length < 0 ? null : buffer.toString(bodyIndex() + Integer.BYTES, length, StandardCharsets.UTF_8);
    }

    /** The body without its attribute section, as a slice that shares the buffer's life. */
    public ByteBuf payload() {
        int skipped = attributeLength() < 0 ? 0 : Integer.BYTES + attributeLength();
        return buffer.slice(bodyIndex() + skipped, bodyLength() - skipped);
    }

    /** Overwrites the id in the header of the current message. */
    public void setId(long id) {
        buffer.setLong(at + StoredMessage.ID_OFFSET, id);
    }

    /** Overwrites the checksum in the header of the current message. */
    public void setChecksum(int checksum) {
        buffer.setInt(at + StoredMessage.CHECKSUM_OFFSET, checksum);
    }

    private int bodyIndex() {
        return at + StoredMessage.HEADER_LENGTH;
    }

    private int attributeLength() {
        if ((flag() & StoredMessage.HAS_ATTRIBUTE) == 0) {
            return -1;
        }
        int length = bodyLength() < Integer.BYTES ? -1 : buffer.getInt(bodyIndex());
        if (length < 0 || length > bodyLength() - Integer.BYTES) {
            throw new DamagedMessageException(position(), "attribute does not fit into its body");
        }
        return length;
    }
}
