package io.metaq.log.partition;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/** Messages in their stored form. */
final class Messages {

    private Messages() {}

    static ByteBuffer message(long id, String text) {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        CRC32 crc = new CRC32();
        crc.update(body);
        ByteBuffer message = ByteBuffer.allocate(MessageScan.HEADER_BYTES + body.length);
        message.putInt(body.length).putInt((int) crc.getValue() & 0x7FFFFFFF).putLong(id);
        return message.putInt(0).put(body).flip();
    }

    static byte[] read(PartitionLog log, long from, long to) throws IOException {
        ByteBuffer all = ByteBuffer.allocate((int) (to - from));
        long at = from;
        while (at < to) {
            LogSlice slice = log.slice(at, (int) (to - at));
            ByteBuffer part = ByteBuffer.allocate(slice.length());
            while (part.hasRemaining()) {
                slice.read(part, part.position());
            }
            all.put(part.flip());
            at = slice.nextOffset();
            slice.release();
        }
        return all.array();
    }

    static List<String> texts(byte[] bytes) {
        List<String> texts = new ArrayList<>();
        ByteBuffer all = ByteBuffer.wrap(bytes);
        while (all.remaining() >= MessageScan.HEADER_BYTES) {
            byte[] body = new byte[all.getInt()];
            all.position(all.position() + 16).get(body);
            texts.add(new String(body, StandardCharsets.UTF_8));
        }
        return texts;
    }
}
