package io.metaq.state.format;

import java.nio.ByteBuffer;

/** Numbers of variable length: seven bits a byte, the lowest first, the highest bit set in all bytes but the last. */
public final class Varints {
    /** Most bytes that a number takes. */
    public static final int MAX_BYTES = 10;

    private static final int MORE = 0x80;
    private static final int BITS = 7;

    private Varints() {}

    public static void put(ByteBuffer to, long value) {
        long rest = value;
        while ((rest & -MORE) != 0) {
            to.put((byte) (rest | MORE));
            rest >>>= BITS;
        }
        to.put((byte) rest);
    }

    /** How many bytes {@link #put} writes. */
    public static int size(long value) {
        return Math.max(1, (Long.SIZE - Long.numberOfLeadingZeros(value) + BITS - 1) / BITS);
    }

    /** @throws java.nio.BufferUnderflowException when the bytes end within the number */
    public static long get(ByteBuffer from) {
        long value = 0;
        for (int shift = 0; ; shift += BITS) {
            byte next = from.get();
            value |= (long) (next & (MORE - 1)) << shift;
            if (next >= 0) {
                return value;
            }
            if (shift > Long.SIZE) {
                throw new IllegalArgumentException("a number of more than " + MAX_BYTES + " bytes");
            }
        }
    }
}
