package io.metaq.broker.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The end of a connection whose client may still be sending. Closed at once, the bytes that nobody reads would make the system throw away
 * the answer before the client has it; so they are read over, for a while.
 */
final class LeaveTaking {
    private static final long LONGEST_MS = 5_000;
    private static final long MOST_BYTES = 64L << 20;

    private final Channel channel;
    private @Nullable Future<?> timer;
    private long bytes;

    LeaveTaking(Channel channel) {
        this.channel = channel;
    }

    void begin() {
        if (!(channel instanceof SocketChannel socket) || channel.pipeline().get(SslHandler.class) != null) {
            channel.close();
            return;
        }
        timer = channel.eventLoop().schedule(() -> channel.close(), LONGEST_MS, TimeUnit.MILLISECONDS);
        socket.shutdownOutput().addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
        channel.read();
    }

    void passOver(Object message) {
        if (message instanceof ByteBuf part) {
            bytes += part.readableBytes();
        } else if (message instanceof HttpContent content) {
            bytes += content.content().readableBytes();
        }
        ReferenceCountUtil.release(message);
        if (bytes > MOST_BYTES) {
            channel.close();
        }
    }

    void end() {
        if (timer != null) {
            timer.cancel(false);
        }
    }
}
