package io.metaq.protocol;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * The format of a message, the same on the wire and on disk. All integers are big-endian.
 *
 * <pre>
 *  0  int32  body length L
 *  4  int32  CRC-32 of the body without its top bit
 *  8  int64  message id
 * 16  int32  flag
 * 20  L bytes of body
 * </pre>
 *
 * With flag bit 0 set the body is: int32 A, A bytes of UTF-8 attribute, payload.
 */
public final class StoredMessage {
    public static final int HEADER_LENGTH = 20;
    public static final int CHECKSUM_OFFSET = 4;
    public static final int ID_OFFSET = 8;
    public static final int FLAG_OFFSET = 16;

    /** Flag bit: the body starts with an attribute. The other 31 bits belong to the sender. */
    public static final int HAS_ATTRIBUTE = 1;

    private StoredMessage() {}

    public static void writeHeader(ByteBuf out, int bodyLength, int checksum, long id, int flag) {
        out.writeInt(bodyLength).writeInt(checksum).writeLong(id).writeInt(flag);
    }

    /** Checksum of the readable bytes, which are left readable. */
    public static int checksum(ByteBuf body) {
        return checksum(body, body.readerIndex(), body.readableBytes());
    }

    /** Checksum of {@code length} bytes at the absolute {@code index}. */
    public static int checksum(ByteBuf buffer, int index, int length) {
        CRC32 crc = new CRC32();
        if (buffer.hasArray()) {
            crc.update(buffer.array(), buffer.arrayOffset() + index, length);
        } else if (buffer.nioBufferCount() == 1) {
            // Not internalNioBuffer: slices of one receive buffer share it, and they are used on different threads.
            crc.update(buffer.nioBuffer(index, length));
        } else {
            for (ByteBuffer part : buffer.nioBuffers(index, length)) {
                crc.update(part);
            }
        }
        return masked(crc);
    }

    public static int checksum(byte[] body) {
        CRC32 crc = new CRC32();
        crc.update(body, 0, body.length);
        return masked(crc);
    }

    static int masked(CRC32 crc) {
        return (int) crc.getValue() & 0x7FFFFFFF;
    }
}
