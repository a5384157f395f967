package io.metaq.message;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes that are written one behind the other, integers big-endian. */
final class GrowingBytes {
    private byte[] bytes;
    private int size;

    GrowingBytes(int capacity) {
        this.bytes = new byte[capacity];
    }

    int size() {
        return size;
    }

    byte[] array() {
        return bytes;
    }

    byte[] toBytes() {
        return Arrays.copyOf(bytes, size);
    }

    GrowingBytes u8(int value) {
        room(1);
        bytes[size++] = (byte) value;
        return this;
    }

    GrowingBytes u16(int value) {
        room(2);
        bytes[size++] = (byte) (value >>> 8);
        bytes[size++] = (byte) value;
        return this;
    }

    GrowingBytes int32(int value) {
        room(4);
        size += 4;
        setInt32(size - 4, value);
        return this;
    }

    GrowingBytes int64(long value) {
        return int32((int) (value >>> 32)).int32((int) value);
    }

    GrowingBytes bytes(byte[] value) {
        room(value.length);
        System.arraycopy(value, 0, bytes, size, value.length);
        size += value.length;
        return this;
    }

    /** An int32 of the length in bytes, then UTF-8. Almost all strings are ASCII and are written without an array of their own. */
    GrowingBytes string(String value) {
        int at = size;
        int32(value.length());
        if (!ascii(value)) {
            byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
            setInt32(at, utf8.length);
            bytes(utf8);
        }
        return this;
    }

    /** Writes the text if it is ASCII. */
    boolean ascii(String text) {
        int length = text.length();
        room(length);
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                return false;
            }
            bytes[size + i] = (byte) c;
        }
        size += length;
        return true;
    }

    void setInt32(int at, int value) {
        bytes[at] = (byte) (value >>> 24);
        bytes[at + 1] = (byte) (value >>> 16);
        bytes[at + 2] = (byte) (value >>> 8);
        bytes[at + 3] = (byte) value;
    }

    void setU8(int at, int value) {
        bytes[at] = (byte) value;
    }

    void cut(int newSize) {
        size = newSize;
    }

    private void room(int count) {
        if (count > bytes.length - size) {
            // Overflow shows as a negative capacity, which copyOf refuses.
            bytes = Arrays.copyOf(bytes, Math.max(size + count, Math.min(bytes.length, Integer.MAX_VALUE / 2) * 2));
        }
    }
}
