package io.metaq.protocol.codec;

import static io.metaq.protocol.codec.Wire.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.metaq.protocol.Limits;
import io.metaq.protocol.ProtocolException;
import io.metaq.protocol.Request;
import io.metaq.protocol.Status;
import io.metaq.protocol.Verb;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestDecoderTest {
    private final EmbeddedChannel channel = Wire.requests();

    @AfterEach
    void release() {
        channel.finishAndReleaseAll();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "foo bar\r\n",
                "ping\r\n",
                "\r\n",
                " \r\n",
                "PUT test 0 5 0 1\r\n",
                "Version 1\r\n",
                "versions 1\r\n",
                "quack\r\n",
                "put test x 5 0 1\r\n",
                "put test 0 -5 0 1\r\n",
                "put test 0 5 0\r\n",
                "put test 0 5 0 1 TX:s:1 1 1\r\n",
                "put test 0 5 0 TX:s 1\r\n",
                "put test 0 5 0 TX:s:x 1\r\n",
                "put test 0 5 0 XID:1:0a:0b 1\r\n",
                "put test 0 5 0 XID:1:0:0b:u 1\r\n",
                "put test 0 5 0 nonsense 1\r\n",
                "put test 99999999999 5 0 1\r\n",
                "put test 0 5 0 2147483648\r\n",
                "get  test g 0 0 100 1\r\n",
                "get test g 0 0 100\r\n",
                "get test g 0 9223372036854775808 100 1\r\n",
                "get test g 0 +5 100 1\r\n",
                "get test g 0 - 100 1\r\n",
                "get te\tst g 0 0 100 1\r\n",
                "offset test g 0 0\r\n",
                "stats a 1 2\r\n",
                "stats a x\r\n",
                "version x\r\n",
                "version  5\r\n",
                "version 1\nversion 2\r\n",
                "transaction TX:s:1 s NOPE 1\r\n",
                "transaction TX:s:1 s begin 1\r\n",
                "transaction TX:s:1 s 1\r\n",
                "sync test 0 5 0 1\r\n",
                "append t 0 1 x 1\r\n",
                "topic list *\r\n",
                "topic create t x\r\n",
                "result 200 0\r\n",
                "value -1 5\r\n"
            })
    void shouldGiveUpOnMalformedFrames(String text) {
        assertThatThrownBy(() -> channel.writeInbound(bytes(text))).isInstanceOf(ProtocolException.class);
        assertThat(Wire.drain(channel)).isEmpty();
    }

    @Test
    void shouldGiveUpOnHeadersThatAreNotUtf8() {
        ByteBuf line = Unpooled.buffer().writeBytes(new byte[] {'g', 'e', 't', ' ', (byte) 0xC3, '('});
        line.writeBytes(bytes(" g 0 0 1 1\r\n"));
        assertThatThrownBy(() -> channel.writeInbound(line)).isInstanceOf(ProtocolException.class);
    }

    @Test
    void shouldFindMalformedHeaderBeforeItsBodyArrives() {
        assertThatThrownBy(() -> channel.writeInbound(bytes("put test 0 5 zero 1\r\nhe")))
                .isInstanceOf(ProtocolException.class);
    }

    @Test
    void shouldDropEverythingAfterMalformedFrame() {
        assertThatThrownBy(() -> channel.writeInbound(bytes("foo\r\nversion 1\r\n")))
                .isInstanceOf(ProtocolException.class);
        channel.writeInbound(bytes("version 2\r\n"));
        assertThat(Wire.drain(channel)).isEmpty();
    }

    @Test
    void shouldPassOnFramesBeforeMalformedOne() {
        assertThatThrownBy(() -> channel.writeInbound(bytes("version 1\r\nfoo\r\n")))
                .isInstanceOf(ProtocolException.class);
        assertThat(Wire.drain(channel)).containsExactly(new Request.Version(1, null, null));
    }

    @Test
    void shouldReadNothingAfterQuit() {
        channel.writeInbound(bytes("stats config\r\nquit\r\nversion 3\r\n"));
        assertThat(Wire.drain(channel))
                .containsExactly(new Request.Stats("config", Request.NO_OPAQUE), new Request.Quit(Request.NO_OPAQUE));
    }

    @Test
    void shouldWaitWhereOnlyLineFeedCame() {
        channel.writeInbound(bytes("version 1\n"));
        channel.writeInbound(bytes("\n"));
        assertThat(Wire.drain(channel)).isEmpty();
    }

    @Test
    void shouldReadOverReplies() {
        channel.writeInbound(bytes("result 200 5 1\r\nhel"));
        channel.writeInbound(bytes("loversion 1\r\nvalue 3 1\r\nabcresult 200 0 5\r\nversion 2\r\n"));
        assertThat(Wire.drain(channel))
                .containsExactly(new Request.Version(1, null, null), new Request.Version(2, null, null));
    }

    @ParameterizedTest
    @CsvSource({
        "get t g 0 0 1 7 what=1, GET, 7",
        "get t g 0 0 1 7 wait=x, GET, 7",
        "get t g 0 0 1 7 wait=-1, GET, 7",
        "offset t g 0 0 7 at=middle, OFFSET, 7",
        "offset t g 0 0 7 at=first time=1, OFFSET, 7",
        "topic explode t 7, TOPIC, 7",
        "topic list * 7 x=1, TOPIC, 7",
        "group commit g 7 topic=a topic=b, GROUP, 7",
        "group commit g 7 topic, GROUP, 7",
        "group commit g 7 topic=%zz, GROUP, 7",
        "version 7 protocol=two, VERSION, 7"
    })
    void shouldRejectWhatIsNotOfferedAndGoOn(String line, Verb verb, int opaque) {
        channel.writeInbound(bytes(line + "\r\nversion 1\r\n"));
        Request.Rejected rejected = channel.readInbound();
        assertThat(rejected.verb()).isEqualTo(verb);
        assertThat(rejected.status()).isEqualTo(Status.BAD_REQUEST);
        assertThat(rejected.opaque()).isEqualTo(opaque);
        assertThat(Wire.drain(channel)).containsExactly(new Request.Version(1, null, null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"seq=1", "producer=1", "durability=none", "x=1", "stray", "producer=1 seq=-1", "producer=0 seq=1"
            })
    void shouldRejectAppendOptionsAndReadOverTheBody(String options) {
        ByteBuf in = bytes("append t 0 1 5 7 " + options + "\r\nhelloversion 1\r\n");
        channel.writeInbound(in);
        assertThat(((Request.Rejected) channel.readInbound()).opaque()).isEqualTo(7);
        assertThat(Wire.drain(channel)).containsExactly(new Request.Version(1, null, null));
        assertThat(in.refCnt()).isZero();
    }

    @Test
    void shouldRefuseLongLinesWhileTheyArrive() {
        EmbeddedChannel small = new EmbeddedChannel(new RequestDecoder(Wire.SMALL));
        small.writeInbound(bytes("x".repeat(256)));
        ProtocolException e = catchThrowableOfType(ProtocolException.class, () -> small.writeInbound(bytes("x")));
        assertThat(e.status()).isEqualTo(Status.TOO_LARGE);
        assertThat(e.opaque()).isEmpty();
        small.finishAndReleaseAll();
    }

    @Test
    void shouldRefuseLargeBodiesBeforeTheyArrive() {
        EmbeddedChannel small = new EmbeddedChannel(new RequestDecoder(Wire.SMALL));
        small.writeInbound(bytes("put t 0 64 0 1\r\n" + "x".repeat(64)));
        assertThat(Wire.drain(small)).hasSize(1);
        ProtocolException e =
                catchThrowableOfType(ProtocolException.class, () -> small.writeInbound(bytes("put t 0 65 0 8\r\n")));
        assertThat(e.status()).isEqualTo(Status.TOO_LARGE);
        assertThat(e.opaque()).isEqualTo(OptionalInt.of(8));
        small.finishAndReleaseAll();
    }

    @Test
    void shouldTellTheOpaqueOfMalformedHeader() {
        ProtocolException e = catchThrowableOfType(
                ProtocolException.class, () -> channel.writeInbound(bytes("get t g x 0 1 77\r\n")));
        assertThat(e.opaque()).isEqualTo(OptionalInt.of(77));
    }

    @Test
    void shouldHandOnBodiesAsSlicesOfWhatArrived() {
        ByteBuf in = bytes("put t 0 5 0 1\r\nhello");
        channel.writeInbound(in);
        Request.Put put = channel.readInbound();
        assertThat(in.refCnt()).isEqualTo(1);
        put.release();
        assertThat(in.refCnt()).isZero();
    }

    @Test
    void shouldFreeThePiecesOfLargeBodyAtOnce() {
        ByteBuf head = bytes("put t 0 1000000 0 1\r\n");
        channel.writeInbound(head);
        for (int i = 0; i < 100; i++) {
            ByteBuf piece = Unpooled.buffer().writeZero(10_000);
            channel.writeInbound(piece);
            assertThat(piece.refCnt()).isZero();
        }
        Request.Put put = channel.readInbound();
        assertThat(put.body().readableBytes()).isEqualTo(1_000_000);
        put.release();
    }

    @Test
    void shouldNotSetMemoryAsideForBodyThatDoesNotCome() {
        AtomicInteger largest = new AtomicInteger();
        EmbeddedChannel watched = new EmbeddedChannel(new RequestDecoder(Limits.DEFAULT));
        watched.config().setAllocator(new LargestAllocation(largest));
        watched.writeInbound(bytes("put t 0 16000000 0 1\r\nx"));
        assertThat(largest.get()).isBetween(1, 256 * 1024);
        watched.finishAndReleaseAll();
    }

    @Test
    void shouldReleaseHalfBodyWhenTheConnectionEnds() {
        LargestAllocation allocator = new LargestAllocation(new AtomicInteger());
        channel.config().setAllocator(allocator);
        channel.writeInbound(bytes("put t 0 100 0 1\r\nhello"));
        channel.close();
        assertThat(allocator.last().refCnt()).isZero();
    }

    @Test
    void shouldAskForMoreWhenNothingWasPassedOnWithoutAutoRead() {
        AtomicInteger reads = new AtomicInteger();
        EmbeddedChannel manual = new EmbeddedChannel(
                new ChannelOutboundHandlerAdapter() {
                    @Override
                    public void read(ChannelHandlerContext ctx) {
                        reads.incrementAndGet();
                    }
                },
                new RequestDecoder(Limits.DEFAULT));
        manual.config().setAutoRead(false);
        reads.set(0);
        manual.writeInbound(bytes("vers"));
        assertThat(reads).hasValue(1);
        manual.writeInbound(bytes("ion 1\r\n"));
        assertThat(reads).hasValue(1);
        manual.finishAndReleaseAll();
    }
}
