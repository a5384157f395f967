package io.metaq.protocol.codec;

import io.netty.buffer.ByteBuf;

/** The header line of a {@code value}, for a broker that sends the body straight from a file. */
public final class ValueHead {
    /** No head is longer than this. */
    public static final int MAX_LENGTH = "value ".length() + 11 + 1 + 11 + 2;

    private ValueHead() {}

    /** Appends {@code value LENGTH OPAQUE CR LF}. */
    public static void write(ByteBuf out, int length, int opaque) {
        out.ensureWritable(MAX_LENGTH);
        Ascii.write(out, VALUE);
        Ascii.writeDecimal(out, length);
        out.writeByte(' ');
        Ascii.writeDecimal(out, opaque);
        out.writeShort(Ascii.CRLF);
    }

    private static final byte[] VALUE = Ascii.bytes("value ");
}
