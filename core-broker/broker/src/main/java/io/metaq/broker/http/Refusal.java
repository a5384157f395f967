package io.metaq.broker.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.charset.StandardCharsets;

/** A connection that is one too many: it is told so whatever it asks, and is none of those that are counted. */
final class Refusal extends ChannelInboundHandlerAdapter {
    private static final byte[] ANSWER = ("HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 1\r\n"
                    + "Content-Length: 0\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII);

    private final LeaveTaking leaving;

    Refusal(Channel channel) {
        this.leaving = new LeaveTaking(channel);
    }

    static ByteBuf answer() {
        return Unpooled.wrappedBuffer(ANSWER);
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        context.writeAndFlush(answer()).addListener(written -> leaving.begin());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        leaving.passOver(message);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        leaving.end();
    }

    /** The client has left by itself. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable thrown) {
        context.close();
    }
}
