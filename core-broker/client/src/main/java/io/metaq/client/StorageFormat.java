package io.metaq.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * A message as it is stored and sent: {@code int32 length | int32 checksum | int64 id | int32 flag | body}, big-endian. The body
 * of a message with an attribute (flag bit 0) begins with {@code int32 length | attribute in UTF-8}.
 */
final class StorageFormat {

    static final int HEADER = 20;
    static final int FLAG_ATTRIBUTE = 1;

    private StorageFormat() {}

    /** Bytes that {@link #write} will take at most. */
    static int maxSize(Message message) {
        String attribute = message.attribute();
        int attributed = attribute == null ? 0 : 4 + ByteBufUtil.utf8MaxBytes(attribute);
        return Math.addExact(HEADER + attributed, message.size());
    }

    static int flag(Message message) {
        return message.attribute() == null ? message.flag() & ~FLAG_ATTRIBUTE : message.flag() | FLAG_ATTRIBUTE;
    }

    /**
     * Appends the message. The caller has made room, so that no growth copies the batch.
     *
     * @param crc scratch
     * @return bytes written
     */
    static int write(Message message, ByteBuf into, CRC32 crc) {
        int start = into.writerIndex();
        into.writerIndex(start + HEADER);
        writeAttribute(message.attribute(), into);
        into.writeBytes(message.payload().array());
        int length = into.writerIndex() - start - HEADER;
        into.setInt(start, length);
        into.setInt(start + 4, checksum(into, start + HEADER, length, crc));
        into.setLong(start + 8, message.id());
        into.setInt(start + 16, flag(message));
        return HEADER + length;
    }

    private static void writeAttribute(@Nullable String attribute, ByteBuf into) {
        if (attribute != null) {
            int at = into.writerIndex();
            into.writerIndex(at + 4);
            int bytes = ByteBufUtil.writeUtf8(into, attribute);
            into.setInt(at, bytes);
        }
    }

    /** CRC-32 of the range, without its sign bit. */
    static int checksum(ByteBuf buffer, int index, int length, CRC32 crc) {
        crc.reset();
        if (buffer.hasArray()) {
            crc.update(buffer.array(), buffer.arrayOffset() + index, length);
        } else {
            crc.update(buffer.internalNioBuffer(index, length));
        }
        return (int) crc.getValue() & 0x7FFFFFFF;
    }

    static byte[] encode(Message message) {
        byte[] whole = new byte[maxSize(message)];
        ByteBuf buffer = Unpooled.wrappedBuffer(whole).clear();
        int size = write(message, buffer, new CRC32());
        return size == whole.length ? whole : Arrays.copyOf(whole, size);
    }
}
