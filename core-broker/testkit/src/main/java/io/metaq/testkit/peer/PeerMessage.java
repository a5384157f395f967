package io.metaq.testkit.peer;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/** A message in storage format, written and read apart from the client's own code. */
public record PeerMessage(long id, int flag, byte[] body) {
    private static final int HEADER = 20;

    public static PeerMessage of(long id, String text) {
        return new PeerMessage(id, 0, text.getBytes(StandardCharsets.UTF_8));
    }

    /** A message whose body begins with an attribute. */
    public static PeerMessage withAttribute(long id, String attribute, String text) {
        byte[] name = attribute.getBytes(StandardCharsets.UTF_8);
        byte[] data = text.getBytes(StandardCharsets.UTF_8);
        byte[] body = ByteBuffer.allocate(4 + name.length + data.length)
                .putInt(name.length)
                .put(name)
                .put(data)
                .array();
        return new PeerMessage(id, 1, body);
    }

    public int length() {
        return HEADER + body.length;
    }

    public byte[] bytes() {
        return ByteBuffer.allocate(length())
                .putInt(body.length)
                .putInt(checksum(body))
                .putLong(id)
                .putInt(flag)
                .put(body)
                .array();
    }

    public static byte[] bytes(List<PeerMessage> messages) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        messages.forEach(message -> out.writeBytes(message.bytes()));
        return out.toByteArray();
    }

    /**
     * The messages of an {@code append}.
     *
     * @throws IllegalArgumentException if the bytes are not whole messages with right checksums (or -1)
     */
    public static List<PeerMessage> read(byte[] bytes) {
        List<PeerMessage> messages = new ArrayList<>();
        ByteBuffer in = ByteBuffer.wrap(bytes);
        while (in.hasRemaining()) {
            int length = in.remaining() < HEADER ? -1 : in.getInt();
            if (length < 0 || length > in.remaining() - (HEADER - 4)) {
                throw new IllegalArgumentException("no whole message at byte " + in.position());
            }
            int checksum = in.getInt();
            long id = in.getLong();
            int flag = in.getInt();
            byte[] body = new byte[length];
            in.get(body);
            if (checksum != -1 && checksum != checksum(body)) {
                throw new IllegalArgumentException("wrong checksum before byte " + in.position());
            }
            messages.add(new PeerMessage(id, flag, body));
        }
        return messages;
    }

    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    public static int checksum(byte[] body) {
        CRC32 crc = new CRC32();
        crc.update(body, 0, body.length);
        return (int) (crc.getValue() & 0x7FFFFFFF);
    }
}
