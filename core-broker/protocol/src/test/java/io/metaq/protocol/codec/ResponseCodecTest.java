package io.metaq.protocol.codec;

import static io.metaq.protocol.codec.Wire.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.protocol.Limits;
import io.metaq.protocol.ProtocolException;
import io.metaq.protocol.Response;
import io.metaq.protocol.Status;
import io.metaq.protocol.Stored;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseCodecTest {
    static Stream<Arguments> responses() {
        return Stream.of(
                Arguments.of("result 200 3 -5\r\n0.1", new Response.Result(200, "0.1", -5)),
                Arguments.of("result 200 0 5\r\n", new Response.Result(Status.OK, "", 5)),
                Arguments.of("result 404 6 5\r\nтри", new Response.Result(404, "три", 5)),
                Arguments.of("result 999 1 5\r\nx", new Response.Result(999, "x", 5)),
                Arguments.of("value 5 9\r\nhello", new Response.Value(bytes("hello"), 9)),
                Arguments.of("value 0 9\r\n", new Response.Value(Unpooled.EMPTY_BUFFER, 9)),
                Arguments.of(
                        "message -1 2 9223372036854775807 1 3 5\r\nhello",
                        new Response.Deliveries(-1, 2, Long.MAX_VALUE, 1, 3, bytes("hello"))),
                Arguments.of("detached 4 6\r\nтри", new Response.Detached(4, "три")),
                Arguments.of("detached 4 0\r\n", new Response.Detached(4, "")));
    }

    private static EmbeddedChannel client() {
        return new EmbeddedChannel(new ResponseDecoder(Limits.DEFAULT));
    }

    @ParameterizedTest
    @MethodSource("responses")
    void shouldEncode(String text, Response response) {
        if (response instanceof Response.Value value) {
            value.body().retain();
        } else if (response instanceof Response.Deliveries deliveries) {
            deliveries.body().retain();
        }
        assertThat(Wire.encode(new ResponseEncoder(), response)).isEqualTo(text);
    }

    @ParameterizedTest
    @MethodSource("responses")
    void shouldDecodeWhereverTheBytesAreSplit(String text, Response response) {
        byte[] twice = (text + text).getBytes(StandardCharsets.UTF_8);
        for (int split = 0; split <= twice.length; split++) {
            EmbeddedChannel channel = client();
            channel.writeInbound(Unpooled.copiedBuffer(twice, 0, split));
            channel.writeInbound(Unpooled.copiedBuffer(twice, split, twice.length - split));
            assertThat(Wire.drain(channel)).as("split at %d", split).isEqualTo(List.of(response, response));
            channel.finishAndReleaseAll();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 400 Bad Request\r\n",
                "\r\n",
                "result 200 0\r\n",
                "result x 0 1\r\n",
                "result 200 -1 1\r\n",
                "value 1\r\n",
                "value 1 1 1\r\n",
                "version 1\r\n",
                "message 1 0 0 1 1\r\n",
                "message 1 0 x 1 1 0\r\n",
                "detached 1 -1\r\n",
                "value 16777217 1\r\n"
            })
    void shouldGiveUpOnWhatIsNoReply(String text) {
        EmbeddedChannel channel = client();
        assertThatThrownBy(() -> channel.writeInbound(bytes(text))).isInstanceOf(ProtocolException.class);
        channel.finishAndReleaseAll();
    }

    @Test
    void shouldWriteStoredReplyAsItsTextForm() {
        for (Stored stored : List.of(
                new Stored(0, 0, 0),
                new Stored(-5468929827236974592L, -1, -1),
                new Stored(Long.MIN_VALUE, Integer.MIN_VALUE, Long.MIN_VALUE),
                new Stored(Long.MAX_VALUE, Integer.MAX_VALUE, Long.MAX_VALUE))) {
            ByteBuf direct = Unpooled.buffer();
            ResponseEncoder.writeStored(direct, stored, -7);
            ByteBuf text = Unpooled.buffer();
            ResponseEncoder.writeResult(text, 200, stored.toString(), -7);
            assertThat(direct).isEqualTo(text);
            assertThat(Stored.parse(stored.toString())).isEqualTo(stored);
        }
    }

    @Test
    void shouldCollectLargeValueInOneBuffer() {
        EmbeddedChannel channel = client();
        channel.writeInbound(bytes("value 1000000 1\r\n"));
        for (int i = 0; i < 100; i++) {
            channel.writeInbound(Unpooled.buffer().writeZero(10_000));
        }
        Response.Value value = channel.readInbound();
        assertThat(value.length()).isEqualTo(1_000_000);
        assertThat(value.body().nioBufferCount()).isEqualTo(1);
        value.release();
        channel.finishAndReleaseAll();
    }
}
