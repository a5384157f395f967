package io.metaq.jms.message;

import java.util.Arrays;
import java.util.Objects;

/** A part of an array. */
final class ByteRange {
    private ByteRange() {}

    /** @throws IndexOutOfBoundsException if it is not within the array */
    static byte[] copy(byte[] value, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, value.length);
        return Arrays.copyOfRange(value, offset, offset + length);
    }
}
