package io.metaq.protocol.codec;

import io.metaq.protocol.Response;
import io.metaq.protocol.Status;
import io.metaq.protocol.Stored;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;

/**
 * Writes {@link Response}s. Anything else, such as a file region behind a {@link ValueHead} or
 * {@link DeliveryHead}, passes as it is. The static methods
 * append a reply to a buffer, for a broker that answers a whole batch with one write.
 */
@Sharable
public final class ResponseEncoder extends ChannelOutboundHandlerAdapter {
    private static final byte[] RESULT = Ascii.bytes("result ");

    private static final byte[] DETACHED = Ascii.bytes("detached ");

    /** Head of a result or a detached without its text. */
    private static final int MAX_HEAD = "detached ".length() + 3 * 12 + 2;

    @Override
    public void write(ChannelHandlerContext ctx, Object msg, ChannelPromise promise) {
        if (msg instanceof Response.Result result) {
            ByteBuf out = ctx.alloc().buffer(MAX_HEAD + ByteBufUtil.utf8MaxBytes(result.text()));
            writeResult(out, result.code(), result.text(), result.opaque());
            ctx.write(out, promise);
        } else if (msg instanceof Response.Value value) {
            ByteBuf head = ctx.alloc().buffer(ValueHead.MAX_LENGTH);
            ValueHead.write(head, value.length(), value.opaque());
            ctx.write(head);
            ctx.write(value.body(), promise);
        } else if (msg instanceof Response.Deliveries deliveries) {
            ByteBuf head = ctx.alloc().buffer(DeliveryHead.MAX_LENGTH);
            DeliveryHead.write(head, deliveries);
            ctx.write(head);
            ctx.write(deliveries.body(), promise);
        } else if (msg instanceof Response.Detached detached) {
            ByteBuf out = ctx.alloc().buffer(MAX_HEAD + ByteBufUtil.utf8MaxBytes(detached.text()));
            writeDetached(out, detached.consumer(), detached.text());
            ctx.write(out, promise);
        } else {
            ctx.write(msg, promise);
        }
    }

    /** Appends {@code result CODE LEN OPAQUE CR LF TEXT}. */
    public static void writeResult(ByteBuf out, int code, String text, int opaque) {
        writeHead(out, code, ByteBufUtil.utf8Bytes(text), opaque);
        ByteBufUtil.writeUtf8(out, text);
    }

    /** Appends {@code result CODE LEN OPAQUE CR LF BODY} for a body that is bytes as they are, such as those of a file. */
    public static void writeResult(ByteBuf out, int code, byte[] body, int opaque) {
        writeHead(out, code, body.length, opaque);
        out.writeBytes(body);
    }

    /** Appends the reply to a successful put or append without making a string of it. */
    public static void writeStored(ByteBuf out, Stored stored, int opaque) {
        writeStored(out, stored.messageId(), stored.partition(), stored.offset(), opaque);
    }

    /** Appends the reply to a successful put or append without making a string of it. */
    public static void writeStored(ByteBuf out, long messageId, int partition, long offset, int opaque) {
        int length = Ascii.length(messageId) + Ascii.length(partition) + Ascii.length(offset) + 2;
        writeHead(out, Status.OK.code(), length, opaque);
        Ascii.writeDecimal(out, messageId);
        out.writeByte(' ');
        Ascii.writeDecimal(out, partition);
        out.writeByte(' ');
        Ascii.writeDecimal(out, offset);
    }

    /** Appends {@code detached CONSUMER LEN CR LF TEXT}. */
    public static void writeDetached(ByteBuf out, int consumer, String text) {
        out.ensureWritable(MAX_HEAD);
        Ascii.write(out, DETACHED);
        Ascii.writeDecimal(out, consumer);
        out.writeByte(' ');
        Ascii.writeDecimal(out, ByteBufUtil.utf8Bytes(text));
        out.writeShort(Ascii.CRLF);
        ByteBufUtil.writeUtf8(out, text);
    }

    private static void writeHead(ByteBuf out, int code, int length, int opaque) {
        out.ensureWritable(MAX_HEAD);
        Ascii.write(out, RESULT);
        Ascii.writeDecimal(out, code);
        out.writeByte(' ');
        Ascii.writeDecimal(out, length);
        out.writeByte(' ');
        Ascii.writeDecimal(out, opaque);
        out.writeShort(Ascii.CRLF);
    }
}
