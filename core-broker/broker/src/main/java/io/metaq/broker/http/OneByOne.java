package io.metaq.broker.http;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Hands on one message for each {@code read()}, however many the decoder made of the bytes of one. Netty's own handler for this forgets a
 * read that is asked for while a message is handed on, when the bytes of the last read are at their end.
 */
final class OneByOne extends ChannelDuplexHandler {
    private final Queue<Object> waiting = new ArrayDeque<>();
    private boolean wanted;
    private boolean handing;

    @Override
    public void read(ChannelHandlerContext context) {
        wanted = true;
        hand(context);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        waiting.add(message);
        hand(context);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        context.fireChannelReadComplete();
        hand(context);
    }

    private void hand(ChannelHandlerContext context) {
        if (handing) {
            return;
        }
        handing = true;
        try {
            while (wanted && !waiting.isEmpty()) {
                wanted = false;
                context.fireChannelRead(waiting.remove());
            }
        } finally {
            handing = false;
        }
        if (wanted) {
            context.read();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        waiting.forEach(ReferenceCountUtil::release);
        waiting.clear();
        context.fireChannelInactive();
    }
}
