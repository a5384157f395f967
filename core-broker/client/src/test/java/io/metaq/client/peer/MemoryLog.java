package io.metaq.client.peer;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;

/** One partition in memory. */
final class MemoryLog {

    private byte[] bytes = new byte[0];
    private int messages;

    /** Appends messages in storage format, numbering them. @return offset of the first */
    synchronized long append(byte[] stored, long firstId) {
        ByteBuffer buffer = ByteBuffer.wrap(stored);
        long id = firstId;
        for (int at = 0; at < stored.length; at += 20 + buffer.getInt(at)) {
            buffer.putLong(at + 8, id++);
            messages++;
        }
        int offset = bytes.length;
        bytes = Arrays.copyOf(bytes, offset + stored.length);
        System.arraycopy(stored, 0, bytes, offset, stored.length);
        notifyAll();
        return offset;
    }

    static byte[] stored(byte[] body, int flag) {
        CRC32 crc = new CRC32();
        crc.update(body);
        ByteBuffer whole = ByteBuffer.allocate(20 + body.length);
        whole.putInt(body.length)
                .putInt((int) crc.getValue() & 0x7FFFFFFF)
                .putLong(0)
                .putInt(flag)
                .put(body);
        return whole.array();
    }

    synchronized byte[] slice(long offset, int max) {
        int from = (int) offset;
        return Arrays.copyOfRange(bytes, from, (int) Math.min(bytes.length, offset + max));
    }

    /** The part of a slice that holds whole messages, or all of it if not one is whole. */
    static byte[] whole(byte[] slice) {
        ByteArrayOutputStream kept = new ByteArrayOutputStream();
        ByteBuffer buffer = ByteBuffer.wrap(slice);
        int at = 0;
        while (at + 20 <= slice.length && buffer.getInt(at) >= 0 && at + 20 + buffer.getInt(at) <= slice.length) {
            at += 20 + buffer.getInt(at);
        }
        kept.write(slice, 0, at == 0 ? slice.length : at);
        return kept.toByteArray();
    }

    synchronized void awaitBeyond(long offset, long ms) throws InterruptedException {
        long deadline = System.nanoTime() + ms * 1_000_000;
        for (long left = ms; bytes.length <= offset && left > 0; left = (deadline - System.nanoTime()) / 1_000_000) {
            wait(left);
        }
    }

    synchronized long end() {
        return bytes.length;
    }

    synchronized int messages() {
        return messages;
    }

    synchronized void flip(int position) {
        bytes[position] ^= (byte) 0x81;
    }
}
