package io.metaq.protocol.codec;

import io.metaq.protocol.Limits;
import io.metaq.protocol.Request;
import io.metaq.protocol.Response;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Bytes through the handlers and back. */
final class Wire {
    static final Limits SMALL = new Limits(256, 64);

    private Wire() {}

    static EmbeddedChannel requests() {
        return new EmbeddedChannel(new RequestDecoder(Limits.DEFAULT));
    }

    static ByteBuf bytes(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
    }

    /** The one request that the text decodes to. Its body is a heap copy that needs no release. */
    static Request decode(String text) {
        EmbeddedChannel channel = requests();
        channel.writeInbound(bytes(text));
        List<Object> decoded = drain(channel);
        channel.finishAndReleaseAll();
        if (decoded.size() != 1) {
            throw new AssertionError("expected one request from '" + text + "': " + decoded);
        }
        return (Request) decoded.get(0);
    }

    /** Everything decoded so far, with bodies copied to the heap and the originals released. */
    static List<Object> drain(EmbeddedChannel channel) {
        List<Object> all = new ArrayList<>();
        for (Object next = channel.readInbound(); next != null; next = channel.readInbound()) {
            all.add(copied(next));
        }
        return all;
    }

    private static Object copied(Object value) {
        if (value instanceof Request.WithBody request) {
            ByteBuf body = Unpooled.copiedBuffer(request.body());
            request.release();
            if (request instanceof Request.Put p) {
                return new Request.Put(
                        p.topic(), p.partition(), p.flag(), p.checksum(), p.transactionKey(), body, p.opaque());
            } else if (request instanceof Request.Append a) {
                return new Request.Append(
                        a.topic(),
                        a.partition(),
                        a.count(),
                        body,
                        a.opaque(),
                        a.producerId(),
                        a.sequence(),
                        a.durability());
            }
            if (request instanceof Request.Transact t) {
                return new Request.Transact(body, t.opaque(), t.producerId(), t.sequence());
            }
            if (request instanceof Request.Enlist e) {
                return new Request.Enlist(
                        e.key(),
                        e.then(),
                        e.timeoutSeconds(),
                        e.begun(),
                        body,
                        e.opaque(),
                        e.producerId(),
                        e.sequence());
            }
            Request.Sync s = (Request.Sync) request;
            return new Request.Sync(s.topic(), s.partition(), s.flag(), s.messageId(), s.checksum(), body, s.opaque());
        }
        if (value instanceof Response.Value v) {
            ByteBuf body = Unpooled.copiedBuffer(v.body());
            v.release();
            return new Response.Value(body, v.opaque());
        }
        if (value instanceof Response.Deliveries d) {
            ByteBuf body = Unpooled.copiedBuffer(d.body());
            d.release();
            return new Response.Deliveries(d.consumer(), d.partition(), d.offset(), d.count(), d.delivery(), body);
        }
        return value;
    }

    /** What the handler writes for the value. */
    static String encode(ChannelHandler encoder, Object value) {
        EmbeddedChannel channel = new EmbeddedChannel(encoder);
        channel.writeOutbound(value);
        StringBuilder out = new StringBuilder();
        for (ByteBuf next = channel.readOutbound(); next != null; next = channel.readOutbound()) {
            out.append(next.toString(StandardCharsets.UTF_8));
            next.release();
        }
        channel.finishAndReleaseAll();
        return out.toString();
    }
}
