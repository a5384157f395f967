package io.metaq.protocol;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Walks over the whole messages of a buffer without copying them, and without an object per message. A message that the buffer ends
 * in the middle of is not an error: it is where the next {@code get} begins. The cursor neither moves the buffer's indices nor owns
 * the buffer.
 *
 * <pre>
 * MessageCursor cursor = new MessageCursor(value.body());
 * while (cursor.next()) { … cursor.id(), cursor.body() … }
 * nextOffset += cursor.consumed();
 * </pre>
 */
public final class MessageCursor {
    private final ByteBuf buffer;
    private final int start;
    private final int end;
    private final CRC32 crc = new CRC32();
    private @Nullable ByteBuffer bytes;
    private int at;
    private int next;

    public MessageCursor(ByteBuf buffer) {
        this.buffer = buffer;
        this.start = buffer.readerIndex();
        this.end = buffer.writerIndex();
        this.at = start;
        this.next = start;
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
        return checksum() == bodyChecksum();
    }

    /** The checksum that the body has, whatever the header says. */
    public int bodyChecksum() {
        int index = at + StoredMessage.HEADER_LENGTH;
        if (buffer.nioBufferCount() != 1) {
            return StoredMessage.checksum(buffer, index, bodyLength());
        }
        if (bytes == null) {
            bytes = buffer.nioBuffer(start, end - start);
        }
        bytes.limit(index - start + bodyLength()).position(index - start);
        crc.reset();
        crc.update(bytes);
        return StoredMessage.masked(crc);
    }

    /** The body as a slice that shares the buffer's life: not retained. */
    public ByteBuf body() {
        return buffer.slice(at + StoredMessage.HEADER_LENGTH, bodyLength());
    }

    /** The body as an array of its own. */
    public byte[] bodyBytes() {
        byte[] bytes = new byte[bodyLength()];
        buffer.getBytes(at + StoredMessage.HEADER_LENGTH, bytes);
        return bytes;
    }

    /** Overwrites the id in the header of the current message. */
    public void setId(long id) {
        buffer.setLong(at + StoredMessage.ID_OFFSET, id);
    }

    /** Overwrites the checksum in the header of the current message. */
    public void setChecksum(int checksum) {
        buffer.setInt(at + StoredMessage.CHECKSUM_OFFSET, checksum);
    }
}
