package io.metaq.protocol.codec;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/** Decimal numbers and words straight to bytes, without strings in between. */
final class Ascii {
    static final int CRLF = '\r' << 8 | '\n';

    private Ascii() {}

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    static void write(ByteBuf out, byte[] word) {
        out.writeBytes(word);
    }

    static void writeDecimal(ByteBuf out, long number) {
        if (number >= 0 && number < 10) {
            out.writeByte((int) ('0' + number));
            return;
        }
        if (number == Long.MIN_VALUE) {
            // Its magnitude does not fit a long.
            out.writeBytes(bytes("-9223372036854775808"));
            return;
        }
        long rest = number;
        if (rest < 0) {
            out.writeByte('-');
            rest = -rest;
        }
        int digits = digits(rest);
        int index = out.writerIndex();
        out.ensureWritable(digits);
        for (int i = digits - 1; i >= 0; i--) {
            out.setByte(index + i, (int) ('0' + rest % 10));
            rest /= 10;
        }
        out.writerIndex(index + digits);
    }

    /** How many bytes {@link #writeDecimal} writes. */
    static int length(long number) {
        if (number == Long.MIN_VALUE) {
            return 20;
        }
        return number < 0 ? 1 + digits(-number) : digits(number);
    }

    private static int digits(long magnitude) {
        int digits = 1;
        for (long rest = magnitude; rest >= 10; rest /= 10) {
            digits++;
        }
        return digits;
    }
}
