package io.metaq.tck.harness;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/** A message as it is on disk and on the wire, with its place. {@code body} holds the attribute section if there is one. */
public record StoredMessage(int partition, long offset, long id, int flag, byte[] body) {
    public static final int HEADER = 20;

    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /** Offset of the message after this one. */
    public long next() {
        return offset + HEADER + body.length;
    }

    /** One message in storage format, for {@code append}. */
    public static byte[] encode(byte[] body) {
        return ByteBuffer.allocate(HEADER + body.length)
                .putInt(body.length)
                .putInt(checksum(body))
                .putLong(0)
                .putInt(0)
                .put(body)
                .array();
    }

    /** CRC-32 of a body in 31 bits, as put carries it. */
    public static int checksum(byte[] body) {
        var crc = new CRC32();
        crc.update(body);
        return (int) crc.getValue() & 0x7FFFFFFF;
    }

    /** The whole messages at the start of a slice; what is left over at its end is ignored. Throws if a checksum is wrong. */
    static List<StoredMessage> decode(int partition, long offset, byte[] slice) {
        List<StoredMessage> messages = new ArrayList<>();
        var in = ByteBuffer.wrap(slice);
        while (in.remaining() >= HEADER && in.remaining() >= HEADER + in.getInt(in.position())) {
            long at = offset + in.position();
            byte[] body = new byte[in.getInt()];
            int checksum = in.getInt();
            long id = in.getLong();
            int flag = in.getInt();
            in.get(body);
            if (checksum != checksum(body)) {
                throw new IllegalStateException("wrong checksum in partition %d at %d".formatted(partition, at));
            }
            messages.add(new StoredMessage(partition, at, id, flag, body));
        }
        return messages;
    }
}
