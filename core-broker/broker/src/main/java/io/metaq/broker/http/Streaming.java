package io.metaq.broker.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CompletableFuture;

/** An answer sent piece by piece, each when the one before it has left: no more than one is in memory, however long it is. */
final class Streaming {
    static final long UNKNOWN_LENGTH = -1;

    private final Channel channel;

    private Streaming(Channel channel) {
        this.channel = channel;
    }

    /**
     * Sends the head of an answer.
     *
     * @param length bytes that will follow, or {@link #UNKNOWN_LENGTH}
     */
    static Streaming begin(Exchange exchange, HttpHeaders headers, long length) {
        HttpConnection connection = exchange.connection();
        var response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        response.headers().add(headers);
        boolean chunks =
                length == UNKNOWN_LENGTH && exchange.request().protocolVersion().equals(HttpVersion.HTTP_1_1);
        if (length != UNKNOWN_LENGTH) {
            HttpUtil.setContentLength(response, length);
        } else if (chunks) {
            HttpUtil.setTransferEncodingChunked(response, true);
        }
        // To those who know no chunks the end of the connection is the end of the answer.
        connection.streaming(response, length == UNKNOWN_LENGTH && !chunks);
        connection.channel().write(response);
        return new Streaming(connection.channel());
    }

    /** Completes when the bytes are with the operating system. */
    CompletableFuture<Void> write(byte[] bytes) {
        return completion(channel.writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(bytes))));
    }

    CompletableFuture<HttpReply> end() {
        return completion(channel.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT))
                .thenApply(done -> HttpReply.STREAMED);
    }

    private static CompletableFuture<Void> completion(ChannelFuture written) {
        CompletableFuture<Void> completion = new CompletableFuture<>();
        written.addListener(done -> {
            if (done.isSuccess()) {
                completion.complete(null);
            } else {
                Throwable cause = done.cause();
                completion.completeExceptionally(cause == null ? new ClosedChannelException() : cause);
            }
        });
        return completion;
    }
}
