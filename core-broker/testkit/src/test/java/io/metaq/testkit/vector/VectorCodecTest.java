package io.metaq.testkit.vector;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.protocol.Limits;
import io.metaq.protocol.ProtocolException;
import io.metaq.protocol.Request;
import io.metaq.protocol.Response;
import io.metaq.protocol.codec.RequestDecoder;
import io.metaq.protocol.codec.RequestEncoder;
import io.metaq.protocol.codec.ResponseDecoder;
import io.metaq.protocol.codec.ResponseEncoder;
import io.metaq.testkit.vector.ByteVector.Mark;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The Java codec against the vectors, as their README tells every implementation to do. */
class VectorCodecTest {
    static List<ByteVector> vectors() {
        return VectorFile.readAll(VectorFile.repositoryDirectory());
    }

    static Stream<ByteVector> withRequests() {
        return vectors().stream().filter(vector -> sent(vector).length > 0);
    }

    static Stream<Template> replies() {
        return vectors().stream().flatMap(v -> v.exchanges().stream()).flatMap(e -> e.expected().stream());
    }

    @ParameterizedTest
    @MethodSource("withRequests")
    void shouldDecodeRequestsWhereverTheyAreCut(ByteVector vector) {
        byte[] bytes = sent(vector);
        List<String> whole = decode(vector, bytes, bytes.length);
        for (int cut = 0; cut < bytes.length; cut++) {
            assertThat(decode(vector, bytes, cut)).as("cut at %d", cut).isEqualTo(whole);
        }
    }

    @ParameterizedTest
    @MethodSource("withRequests")
    void shouldWriteRequestsAsTheyStand(ByteVector vector) {
        if (vector.is(Mark.LENIENT) || vector.is(Mark.MALFORMED) || vector.is(Mark.INCOMPLETE)) {
            return;
        }
        EmbeddedChannel broker = new EmbeddedChannel(new RequestDecoder(Limits.DEFAULT));
        broker.writeInbound(Unpooled.copiedBuffer(sent(vector)));
        EmbeddedChannel client = new EmbeddedChannel(new RequestEncoder());
        for (Request next = broker.readInbound(); next != null; next = broker.readInbound()) {
            client.writeOutbound(next);
        }
        assertThat(Template.show(written(client))).isEqualTo(Template.show(sent(vector)));
        broker.finishAndReleaseAll();
    }

    @ParameterizedTest
    @MethodSource("replies")
    void shouldReadAndWriteReplies(Template template) {
        byte[] bytes = template.sample();
        for (int cut = 0; cut < bytes.length; cut++) {
            EmbeddedChannel client = channel(new ResponseDecoder(Limits.DEFAULT), bytes, cut);
            Response reply = client.readInbound();
            EmbeddedChannel broker = new EmbeddedChannel(new ResponseEncoder());
            broker.writeOutbound(reply);
            assertThat(written(broker)).isEqualTo(bytes);
            client.finishAndReleaseAll();
        }
    }

    /** What the bytes are, in two pieces: requests, and a refusal at the end. */
    private static List<String> decode(ByteVector vector, byte[] bytes, int cut) {
        List<String> seen = new ArrayList<>();
        EmbeddedChannel channel = new EmbeddedChannel(new RequestDecoder(Limits.DEFAULT));
        boolean refused = false;
        try {
            channel.writeInbound(Unpooled.copiedBuffer(bytes, 0, cut));
            channel.writeInbound(Unpooled.copiedBuffer(bytes, cut, bytes.length - cut));
        } catch (ProtocolException e) {
            refused = true;
        }
        for (Request next = channel.readInbound(); next != null; next = channel.readInbound()) {
            seen.add(next.verb() + " " + next.opaque() + " " + next.getClass().getSimpleName());
            next.release();
        }
        channel.finishAndReleaseAll();
        assertThat(refused).as("refused").isEqualTo(vector.is(Mark.MALFORMED));
        return seen;
    }

    private static EmbeddedChannel channel(ChannelHandler decoder, byte[] bytes, int cut) {
        EmbeddedChannel channel = new EmbeddedChannel(decoder);
        channel.writeInbound(Unpooled.copiedBuffer(bytes, 0, cut));
        channel.writeInbound(Unpooled.copiedBuffer(bytes, cut, bytes.length - cut));
        return channel;
    }

    private static byte[] sent(ByteVector vector) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        vector.exchanges().forEach(e -> e.sent().forEach(piece -> out.writeBytes(piece.sample())));
        return out.toByteArray();
    }

    private static byte[] written(EmbeddedChannel channel) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (ByteBuf next = channel.readOutbound(); next != null; next = channel.readOutbound()) {
            byte[] bytes = new byte[next.readableBytes()];
            next.readBytes(bytes);
            out.writeBytes(bytes);
            next.release();
        }
        channel.finishAndReleaseAll();
        return out.toByteArray();
    }
}
