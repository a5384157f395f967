package io.metaq.protocol.codec;

import static io.metaq.protocol.codec.Wire.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.protocol.AdminOperation;
import io.metaq.protocol.AttachKind;
import io.metaq.protocol.Durability;
import io.metaq.protocol.Ranges;
import io.metaq.protocol.Request;
import io.metaq.protocol.Request.Edge;
import io.metaq.protocol.Request.Enlist.Then;
import io.metaq.protocol.Request.Transaction;
import io.metaq.protocol.Request.Transaction.Step;
import io.metaq.protocol.TransactionKey;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RequestCodecTest {
    private static final ByteBuf HELLO = bytes("hello");
    private static final int NONE = Request.ABSENT;

    /** Frames whose bytes are the ones that our encoder writes. */
    static Stream<Arguments> canonical() {
        TransactionKey local = new TransactionKey.Local("s-1", 7);
        TransactionKey xa = new TransactionKey.Xa(100, "0a0b", "", "host");
        return Stream.of(
                frame("put test 0 5 0 1\r\nhello", new Request.Put("test", 0, 0, -1, null, HELLO, 1)),
                frame("put test 0 5 0 907060870 2\r\nhello", new Request.Put("test", 0, 0, 907060870, null, HELLO, 2)),
                frame("put t -1 5 1 TX:s:1 3\r\nhello", new Request.Put("t", -1, 1, -1, "TX:s:1", HELLO, 3)),
                frame("put t 0 5 0 9 null 4\r\nhello", new Request.Put("t", 0, 0, 9, "null", HELLO, 4)),
                frame(
                        "put t 0 0 0 -2147483648\r\n",
                        new Request.Put("t", 0, 0, -1, null, Unpooled.EMPTY_BUFFER, Integer.MIN_VALUE)),
                frame("put тема 0 5 0 1\r\nhello", new Request.Put("тема", 0, 0, -1, null, HELLO, 1)),
                frame(
                        "append t -1 1 5 6\r\nhello",
                        new Request.Append("t", -1, 1, HELLO, 6, 0, NONE, Durability.TOPIC)),
                frame(
                        "append t 2 1 5 6 producer=-9 seq=0 durability=disk\r\nhello",
                        new Request.Append("t", 2, 1, HELLO, 6, -9, 0, Durability.DISK)),
                frame("get t g 0 0 1000 9\r\n", new Request.Get("t", "g", 0, 0, 1000, 9, NONE, NONE)),
                frame(
                        "get t g 0 9223372036854775807 0 -1\r\n",
                        new Request.Get("t", "g", 0, Long.MAX_VALUE, 0, -1, NONE, NONE)),
                frame(
                        "get t g 0 -9223372036854775808 1 1 wait=500 min=1\r\n",
                        new Request.Get("t", "g", 0, Long.MIN_VALUE, 1, 1, 500, 1)),
                frame("offset t g 0 30 15\r\n", new Request.Offset("t", "g", 0, 30, 15, NONE, null)),
                frame("offset t g 0 0 15 time=0\r\n", new Request.Offset("t", "g", 0, 0, 15, 0, null)),
                frame("offset t g 0 0 15 at=last\r\n", new Request.Offset("t", "g", 0, 0, 15, NONE, Edge.LAST)),
                frame("stats\r\n", new Request.Stats(null, Request.NO_OPAQUE)),
                frame("stats  -2147483645\r\n", new Request.Stats(null, -2147483645)),
                frame("stats topics\r\n", new Request.Stats("topics", Request.NO_OPAQUE)),
                frame("stats topics 21\r\n", new Request.Stats("topics", 21)),
                frame("version\r\n", new Request.Version(Request.NO_OPAQUE, null, null)),
                frame("version -5\r\n", new Request.Version(-5, null, null)),
                frame("version 5 protocol=2 client=a%20b%25\r\n", new Request.Version(5, 2, "a b%")),
                frame("quit\r\n", new Request.Quit(Request.NO_OPAQUE)),
                frame(
                        "transaction TX:s-1:7 s-1 BEGIN 10 40\r\n",
                        new Transaction(local, "s-1", Step.BEGIN, 10, null, 40)),
                frame(
                        "transaction XID:100:0a0b::host s1 BEGIN 10 host 60\r\n",
                        new Transaction(xa, "s1", Step.BEGIN, 10, "host", 60)),
                frame(
                        "transaction XID:100:0a0b::host s1 END host 60\r\n",
                        new Transaction(xa, "s1", Step.END, 0, "host", 60)),
                frame(
                        "transaction XID:100:0a0b::host s1 COMMIT_TWO_PHASE host 60 number=17\r\n",
                        new Transaction(xa, "s1", Step.COMMIT_TWO_PHASE, 0, "host", 60, 17)),
                frame(
                        "transaction null s1 RECOVER 67\r\n",
                        new Transaction(TransactionKey.NULL, "s1", Step.RECOVER, 0, null, 67)),
                frame("sync t 0 5 0 123 30\r\nhello", new Request.Sync("t", 0, 0, 123, -1, HELLO, 30)),
                frame("sync t 0 5 0 -123 9 30\r\nhello", new Request.Sync("t", 0, 0, -123, 9, HELLO, 30)),
                frame("topic list * 1\r\n", new Request.Admin(AdminOperation.TOPIC_LIST, "*", 1, Map.of())),
                frame(
                        "topic create t 1 partitions=4 deletePolicy=delete,1%20day\r\n",
                        new Request.Admin(
                                AdminOperation.TOPIC_CREATE,
                                "t",
                                1,
                                Map.of("partitions", "4", "deletePolicy", "delete,1 day"))),
                frame(
                        "group reset g 2 topic=t to=time:123\r\n",
                        new Request.Admin(AdminOperation.GROUP_RESET, "g", 2, Map.of("topic", "t", "to", "time:123"))));
    }

    /** The same for subscriptions. */
    static Stream<Arguments> ofSubscriptions() {
        Ranges ranges =
                Ranges.builder().add(0, 0, 25).add(2, 50, Long.MAX_VALUE).build();
        return Stream.of(
                frame("login a%20b 1 password=p%20%25\r\n", new Request.Login("a b", "p %", 1)),
                frame("client c%20d 2\r\n", new Request.ClientId("c d", 2)),
                frame(
                        "attach 1 queue:q 3 topic=q kind=queue\r\n",
                        new Request.Attach(1, "queue:q", "q", AttachKind.QUEUE, null, false, null, 3)),
                frame(
                        "attach -1 durable:c:a%20b 3 topic=t kind=shared-durable selector=a%20>%203 nolocal=true origin=c%20d\r\n",
                        new Request.Attach(
                                -1, "durable:c:a b", "t", AttachKind.SHARED_DURABLE, "a > 3", true, "c d", 3)),
                frame("credit 1 10 2147483647\r\n", new Request.Credit(1, 10, Integer.MAX_VALUE)),
                frame("drain 1 0 4\r\n", new Request.Drain(1, 0, 4)),
                frame("ack 1 0:0-25,2:50-9223372036854775807 5\r\n", new Request.Ack(1, ranges, 5, true)),
                frame("ack 1 0:0-25 5 reply=no\r\n", new Request.Ack(1, Ranges.of(0, 0, 25), 5, false)),
                frame(
                        "reject 1 0:0-25 6 delay=0 dead=true\r\n",
                        new Request.Reject(1, Ranges.of(0, 0, 25), 6, 0, true)),
                frame("reject 1 0:0-25 6\r\n", new Request.Reject(1, Ranges.of(0, 0, 25), 6, NONE, false)),
                frame("release 1 0:0-25 7\r\n", new Request.Release(1, Ranges.of(0, 0, 25), 7)),
                frame("detach 1 8\r\n", new Request.Detach(1, 8, Ranges.none())),
                frame("detach 1 8 delivered=0:0-25,2:50-9223372036854775807\r\n", new Request.Detach(1, 8, ranges)),
                frame("transact 5 9\r\nhello", new Request.Transact(HELLO, 9, 0, NONE)),
                frame("transact 5 9 producer=-3 seq=0\r\nhello", new Request.Transact(HELLO, 9, -3, 0)),
                frame(
                        "enlist XID:1:0a::uq 5 9\r\nhello",
                        new Request.Enlist(
                                new TransactionKey.Xa(1, "0a", "", "uq"), Then.NOTHING, 0, false, HELLO, 9, 0, NONE)),
                frame(
                        "enlist TX:s-1:7 5 9 then=prepare timeout=30 begun=true producer=-3 seq=0\r\nhello",
                        new Request.Enlist(
                                new TransactionKey.Local("s-1", 7), Then.PREPARE, 30, true, HELLO, 9, -3, 0)),
                frame("tx list XID:* 10\r\n", new Request.Admin(AdminOperation.TX_LIST, "XID:*", 10, Map.of())),
                frame(
                        "tx rollback XID:1:0a::uq 10\r\n",
                        new Request.Admin(AdminOperation.TX_ROLLBACK, "XID:1:0a::uq", 10, Map.of())),
                frame(
                        "subscription delete durable:c:a%20b 10\r\n",
                        new Request.Admin(AdminOperation.SUBSCRIPTION_DELETE, "durable:c:a b", 10, Map.of())));
    }

    /** Frames that mean the same as another one that we would write. */
    static Stream<Arguments> tolerated() {
        return Stream.of(
                frame("put test 0 5 0 -1 3\r\nhello", new Request.Put("test", 0, 0, -1, null, HELLO, 3)),
                frame("get t g 0 0 1000 9 more words\r\n", new Request.Get("t", "g", 0, 0, 1000, 9, NONE, NONE)),
                frame("get t g 0 0 1000 9 \r\n", new Request.Get("t", "g", 0, 0, 1000, 9, NONE, NONE)),
                frame("get t g 0 007 1000 9\r\n", new Request.Get("t", "g", 0, 7, 1000, 9, NONE, NONE)),
                frame("ack 1 0:0-25,0:25-50 5 reply=yes\r\n", new Request.Ack(1, Ranges.of(0, 0, 50), 5, true)),
                frame(
                        "attach 1 q 3 kind=queue topic=q selector= nolocal=false\r\n",
                        new Request.Attach(1, "q", "q", AttachKind.QUEUE, null, false, null, 3)),
                frame("offset t g 0 30 15 x\r\n", new Request.Offset("t", "g", 0, 30, 15, NONE, null)),
                frame("stats  \r\n", new Request.Stats(null, Request.NO_OPAQUE)),
                frame("version 5 some protocol=3 future=1\r\n", new Request.Version(5, 3, null)),
                frame("quit now\r\n", new Request.Quit(Request.NO_OPAQUE)),
                frame(
                        "transaction XID:1:0A:0B:77 s BEGIN 77 5\r\n",
                        new Transaction(new TransactionKey.Xa(1, "0a", "0b", "77"), "s", Step.BEGIN, 0, "77", 5)),
                frame(
                        "transaction null s RECOVER 77 5\r\n",
                        new Transaction(TransactionKey.NULL, "s", Step.RECOVER, 0, "77", 5)),
                frame(
                        "transaction TX:fe80::1-s:99999999999 s BEGIN 5\r\n",
                        new Transaction(
                                new TransactionKey.Local("fe80::1-s", 99999999999L), "s", Step.BEGIN, 0, null, 5)));
    }

    private static Arguments frame(String text, Request request) {
        return Arguments.of(text, request);
    }

    @ParameterizedTest
    @MethodSource({"canonical", "ofSubscriptions", "tolerated"})
    void shouldDecode(String text, Request request) {
        assertThat(Wire.decode(text)).isEqualTo(request);
    }

    @ParameterizedTest
    @MethodSource({"canonical", "ofSubscriptions"})
    void shouldEncodeToTheSameBytes(String text, Request request) {
        if (request instanceof Request.WithBody withBody) {
            withBody.body().retain();
        }
        String written = Wire.encode(new RequestEncoder(), request);
        assertThat(Wire.decode(written)).isEqualTo(request);
        if (!(request instanceof Request.Admin)) {
            assertThat(written).isEqualTo(text);
        }
    }

    @ParameterizedTest
    @MethodSource({"canonical", "ofSubscriptions", "tolerated"})
    void shouldDecodeWhereverTheBytesAreSplit(String text, Request request) {
        byte[] twice = (text + text).getBytes(StandardCharsets.UTF_8);
        if (request instanceof Request.Quit) {
            return;
        }
        for (int split = 0; split <= twice.length; split++) {
            EmbeddedChannel channel = Wire.requests();
            channel.writeInbound(Unpooled.copiedBuffer(twice, 0, split));
            channel.writeInbound(Unpooled.copiedBuffer(twice, split, twice.length - split));
            assertThat(Wire.drain(channel)).as("split at %d", split).isEqualTo(List.of(request, request));
            channel.finishAndReleaseAll();
        }
    }

    @ParameterizedTest
    @MethodSource({"canonical", "ofSubscriptions", "tolerated"})
    void shouldDecodeByteByByte(String text, Request request) {
        EmbeddedChannel channel = Wire.requests();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            channel.writeInbound(Unpooled.copiedBuffer(new byte[] {b}));
        }
        assertThat(Wire.drain(channel)).containsExactly(request);
        channel.finishAndReleaseAll();
    }

    @Test
    void shouldReadNumericQualifiersBackAsQualifiers() {
        Transaction begin = new Transaction(TransactionKey.NULL, "s", Step.BEGIN, 0, "42", 1);
        assertThat(Wire.decode(Wire.encode(new RequestEncoder(), begin))).isEqualTo(begin);
    }

    @Test
    void shouldSendLargeBodiesWithoutCopyingThem() {
        ByteBuf body = Unpooled.buffer().writeZero(100_000);
        EmbeddedChannel channel = new EmbeddedChannel(new RequestEncoder());
        channel.writeOutbound(new Request.Put("t", 0, 0, -1, null, body, 1));
        ByteBuf head = channel.readOutbound();
        assertThat(head.toString(StandardCharsets.US_ASCII)).isEqualTo("put t 0 100000 0 1\r\n");
        assertThat((Object) channel.readOutbound()).isSameAs(body);
        head.release();
        body.release();
        channel.finishAndReleaseAll();
    }

    @ParameterizedTest
    @MethodSource("unwritable")
    void shouldRefuseToWriteWhatWouldReadAsSomethingElse(Request request) {
        EmbeddedChannel channel = new EmbeddedChannel(new RequestEncoder());
        assertThatThrownBy(() -> channel.writeOutbound(request)).isInstanceOf(IllegalArgumentException.class);
        if (request instanceof Request.WithBody withBody) {
            assertThat(withBody.body().refCnt()).isZero();
        }
        channel.finishAndReleaseAll();
    }

    static Stream<Request> unwritable() {
        return Stream.of(
                new Request.Put("a b", 0, 0, -1, null, Unpooled.buffer(1), 1),
                new Request.Put("", 0, 0, -1, null, Unpooled.buffer(1), 1),
                new Request.Get("t\r\nquit", "g", 0, 0, 1, 1, NONE, NONE),
                new Request.Stats("a b", 1),
                new Request.Ack(1, Ranges.none(), 1, true));
    }
}
