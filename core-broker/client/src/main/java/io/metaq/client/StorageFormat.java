package io.metaq.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
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

    /** Checksum of the message's body. */
    static int checksum(Message message) {
        CRC32 crc = new CRC32();
        String attribute = message.attribute();
        if (attribute != null) {
            byte[] bytes = attribute.getBytes(StandardCharsets.UTF_8);
            crc.update(ByteBuffer.allocate(4).putInt(bytes.length).flip());
            crc.update(bytes);
        }
        crc.update(message.payload().array());
        return (int) crc.getValue() & 0x7FFFFFFF;
    }

    /**
     * Appends the message.
     *
     * @param checksum as {@link #checksum(Message)} gives it; a parameter so that it can be computed outside of locks
     */
    static void write(Message message, int checksum, ByteBuf into) {
        int start = into.writerIndex();
        into.ensureWritable(HEADER);
        into.writerIndex(start + HEADER);
        writeAttribute(message.attribute(), into);
        into.writeBytes(message.payload().array());
        into.setInt(start, into.writerIndex() - start - HEADER);
        into.setInt(start + 4, checksum);
        into.setLong(start + 8, message.id());
        into.setInt(start + 16, flag(message));
    }

    private static void writeAttribute(@Nullable String attribute, ByteBuf into) {
        if (attribute != null) {
            int at = into.writerIndex();
            into.writeInt(0);
            int bytes = ByteBufUtil.writeUtf8(into, attribute);
            into.setInt(at, bytes);
        }
    }

    static byte[] encode(Message message) {
        byte[] whole = new byte[maxSize(message)];
        ByteBuf buffer = Unpooled.wrappedBuffer(whole).clear();
        write(message, checksum(message), buffer);
        int size = buffer.writerIndex();
        return size == whole.length ? whole : Arrays.copyOf(whole, size);
    }
}
