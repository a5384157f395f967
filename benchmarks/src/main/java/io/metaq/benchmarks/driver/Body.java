package io.metaq.benchmarks.driver;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;

/**
 * Message bodies: int64 sequence, int64 intended send time ({@link System#nanoTime}), int32 number of the producer, then
 * random bytes, which no system can compress.
 */
public final class Body {

    static final int LEAST_BYTES = 20;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final byte[] NOISE = new byte[1 << 20];

    static {
        new SplittableRandom(20261130).nextBytes(NOISE);
    }

    private Body() {}

    public static byte[] of(int producer, long sequence, long intendedNanos, int bytes) {
        byte[] body = new byte[Math.max(bytes, LEAST_BYTES)];
        int from = (int) ((sequence * 61) & 0x7FFFF);
        System.arraycopy(NOISE, from, body, 0, Math.min(body.length, NOISE.length - from));
        LONG.set(body, 0, sequence);
        LONG.set(body, 8, intendedNanos);
        INT.set(body, 16, producer);
        return body;
    }

    public static long sequence(ByteBuffer body) {
        return body.getLong(body.position());
    }

    public static long intendedNanos(ByteBuffer body) {
        return body.getLong(body.position() + 8);
    }

    public static int producer(ByteBuffer body) {
        return body.getInt(body.position() + 16);
    }
}
