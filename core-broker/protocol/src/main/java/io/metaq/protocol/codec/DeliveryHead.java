package io.metaq.protocol.codec;

import io.metaq.protocol.Response;
import io.netty.buffer.ByteBuf;

/** The header line of a {@code message}, for a broker that sends the body straight from a partition's log. */
public final class DeliveryHead {
    /** No head is longer than this. */
    public static final int MAX_LENGTH = "message ".length() + 5 * 12 + 21 + 2;

    private static final byte[] MESSAGE = Ascii.bytes("message ");

    private DeliveryHead() {}

    static void write(ByteBuf out, Response.Deliveries frame) {
        write(
                out,
                frame.consumer(),
                frame.partition(),
                frame.offset(),
                frame.count(),
                frame.delivery(),
                frame.body().readableBytes());
    }

    /** Appends {@code message CONSUMER PARTITION OFFSET COUNT DELIVERY LENGTH CR LF}. */
    public static void write(
            ByteBuf out, int consumer, int partition, long offset, int count, int delivery, int length) {
        out.ensureWritable(MAX_LENGTH);
        Ascii.write(out, MESSAGE);
        Ascii.writeDecimal(out, consumer);
        out.writeByte(' ');
        Ascii.writeDecimal(out, partition);
        out.writeByte(' ');
        Ascii.writeDecimal(out, offset);
        out.writeByte(' ');
        Ascii.writeDecimal(out, count);
        out.writeByte(' ');
        Ascii.writeDecimal(out, delivery);
        out.writeByte(' ');
        Ascii.writeDecimal(out, length);
        out.writeShort(Ascii.CRLF);
    }
}
