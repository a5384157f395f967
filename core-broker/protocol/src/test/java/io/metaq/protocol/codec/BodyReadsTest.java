package io.metaq.protocol.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.protocol.Limits;
import io.metaq.protocol.Request;
import io.metaq.protocol.Response;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A channel that asks the decoder's allocator for buffers and fills them, as a socket does. */
class BodyReadsTest {
    private static final Limits LIMITS = new Limits(256, 4 << 20);
    private static final String NEXT = "value 2 10\r\nhi";

    private final byte[] body = new byte[1 << 20];

    BodyReadsTest() {
        new Random(1).nextBytes(body);
    }

    @Test
    void shouldReadTheRestOfABodyIntoOneBuffer() {
        EmbeddedChannel channel = new EmbeddedChannel(new ResponseDecoder(LIMITS));
        byte[] stream = concat("value " + body.length + " 9\r\n", body, NEXT);

        int reads = feed(channel, stream, Integer.MAX_VALUE);

        Response.Value first = channel.readInbound();
        assertThat(first.opaque()).isEqualTo(9);
        assertThat(ByteBufUtil.getBytes(first.body())).isEqualTo(body);
        Response.Value second = channel.readInbound();
        assertThat(second.body().toString(StandardCharsets.US_ASCII)).isEqualTo("hi");
        assertThat(reads).isLessThanOrEqualTo(3);
        assertThat(first.body().refCnt()).isEqualTo(1);
        first.release();
        second.release();
        assertThat(channel.finish()).isFalse();
    }

    @Test
    void shouldReadBodiesOfStrangersAsTheyGrow() {
        EmbeddedChannel channel = new EmbeddedChannel(new RequestDecoder(LIMITS));
        byte[] stream = concat("put test 0 " + body.length + " 0 7\r\n", body, "");

        feed(channel, stream, 1000);

        Request.Put put = channel.readInbound();
        assertThat(ByteBufUtil.getBytes(put.body())).isEqualTo(body);
        put.release();
        assertThat(channel.finish()).isFalse();
    }

    @Test
    void shouldGiveBackABodyThatDoesNotBecomeWhole() {
        EmbeddedChannel channel = new EmbeddedChannel(new ResponseDecoder(LIMITS));
        channel.writeInbound(channel.alloc().buffer().writeBytes(concat("value " + body.length + " 9\r\n", body, "")));
        ((Response.Value) channel.readInbound()).release();
        channel.writeInbound(channel.alloc().buffer().writeBytes(concat("value 100000 9\r\n", new byte[10], "")));
        ByteBuf room = handle(channel).allocate(channel.alloc());
        assertThat(room.writableBytes()).isEqualTo(100_000 - 10);

        channel.close();

        assertThat(room.refCnt()).as("what the read that is under way holds").isEqualTo(1);
        room.release();
        assertThat(channel.finish()).isFalse();
    }

    /** @return how many reads it took */
    private static int feed(EmbeddedChannel channel, byte[] stream, int mostAtOnce) {
        RecvByteBufAllocator.Handle handle = handle(channel);
        int reads = 0;
        for (int at = 0; at < stream.length; reads++) {
            ByteBuf buffer = handle.allocate(channel.alloc());
            int count = Math.min(mostAtOnce, Math.min(buffer.writableBytes(), stream.length - at));
            buffer.writeBytes(stream, at, count);
            at += count;
            channel.writeInbound(buffer);
        }
        return reads;
    }

    private static RecvByteBufAllocator.Handle handle(EmbeddedChannel channel) {
        return channel.config().getRecvByteBufAllocator().newHandle();
    }

    private static byte[] concat(String head, byte[] body, String tail) {
        byte[] first = head.getBytes(StandardCharsets.US_ASCII);
        byte[] last = tail.getBytes(StandardCharsets.US_ASCII);
        byte[] all = new byte[first.length + body.length + last.length];
        System.arraycopy(first, 0, all, 0, first.length);
        System.arraycopy(body, 0, all, first.length, body.length);
        System.arraycopy(last, 0, all, first.length + body.length, last.length);
        return all;
    }
}
