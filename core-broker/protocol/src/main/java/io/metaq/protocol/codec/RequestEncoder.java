package io.metaq.protocol.codec;

import io.metaq.protocol.Request;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;

/**
 * Writes {@link Request}s; anything else passes as it is. A request that cannot be written (a topic with a space in it) fails its
 * promise with an {@link IllegalArgumentException}, and its body is released.
 */
@Sharable
public final class RequestEncoder extends ChannelOutboundHandlerAdapter {
    /** Below this a body is copied behind its head: one short copy is cheaper than a second buffer in the gathering write. */
    private static final int COPIED_BYTES = 1024;

    private static final int USUAL_HEAD = 128;

    @Override
    public void write(ChannelHandlerContext ctx, Object msg, ChannelPromise promise) {
        if (msg instanceof Request request) {
            write(ctx, request, promise);
        } else {
            ctx.write(msg, promise);
        }
    }

    private static void write(ChannelHandlerContext ctx, Request request, ChannelPromise promise) {
        ByteBuf body = request instanceof Request.WithBody withBody ? withBody.body() : null;
        int length = body == null ? 0 : body.readableBytes();
        boolean copied = length <= COPIED_BYTES;
        ByteBuf head = ctx.alloc().buffer(copied ? USUAL_HEAD + length : USUAL_HEAD);
        try {
            RequestHead.write(head, request);
        } catch (IllegalArgumentException e) {
            head.release();
            request.release();
            promise.setFailure(e);
            return;
        }
        if (body == null) {
            ctx.write(head, promise);
        } else if (copied) {
            head.writeBytes(body, body.readerIndex(), length);
            body.release();
            ctx.write(head, promise);
        } else {
            ctx.write(head);
            ctx.write(body, promise);
        }
    }
}
