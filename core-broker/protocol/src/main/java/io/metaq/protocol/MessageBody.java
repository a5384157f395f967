package io.metaq.protocol;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What a sender puts into the body: the attribute section, if any, and the payload.
 *
 * @param attribute null for none; an empty one is written, and read back as empty
 */
public record MessageBody(@Nullable String attribute, byte[] payload) {
    /** The sender's flag with bit 0 set or cleared as this body needs it. */
    public int flag(int flag) {
        return attribute == null ? flag & ~StoredMessage.HAS_ATTRIBUTE : flag | StoredMessage.HAS_ATTRIBUTE;
    }

    /** Appends the body, without a header. */
    public void write(ByteBuf out) {
        if (attribute != null) {
            byte[] bytes = attribute.getBytes(StandardCharsets.UTF_8);
            out.writeInt(bytes.length).writeBytes(bytes);
        }
        out.writeBytes(payload);
    }

    /** Appends the whole message in storage format with its checksum. */
    public void writeStored(ByteBuf out, long id, int flag) {
        int header = out.writerIndex();
        StoredMessage.writeHeader(out, 0, 0, id, flag(flag));
        int body = out.writerIndex();
        write(out);
        int length = out.writerIndex() - body;
        out.setInt(header, length);
        out.setInt(header + StoredMessage.CHECKSUM_OFFSET, StoredMessage.checksum(out, body, length));
    }
}
