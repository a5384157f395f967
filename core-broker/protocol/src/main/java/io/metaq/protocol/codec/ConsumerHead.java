package io.metaq.protocol.codec;

import static io.metaq.protocol.codec.RequestHead.encoded;
import static io.metaq.protocol.codec.RequestHead.number;
import static io.metaq.protocol.codec.RequestHead.option;

import io.metaq.protocol.Ranges;
import io.metaq.protocol.Request;
import io.netty.buffer.ByteBuf;

/** Header lines, behind their verb, of what concerns one consumer. */
final class ConsumerHead {
    private ConsumerHead() {}

    static void write(ByteBuf out, Request.OfConsumer request) {
        number(out, request.consumer());
        if (request instanceof Request.Ack ack) {
            ranges(out, ack.ranges());
            number(out, ack.opaque());
            if (!ack.answered()) {
                option(out, "reply", "no");
            }
        } else if (request instanceof Request.Credit credit) {
            number(out, credit.messages());
            number(out, credit.bytes());
        } else if (request instanceof Request.Drain drain) {
            number(out, drain.messages());
            number(out, drain.opaque());
        } else if (request instanceof Request.Attach attach) {
            attach(out, attach);
        } else if (request instanceof Request.Reject reject) {
            reject(out, reject);
        } else if (request instanceof Request.Release release) {
            ranges(out, release.ranges());
            number(out, release.opaque());
        } else if (request instanceof Request.Detach detach) {
            detach(out, detach);
        }
    }

    private static void attach(ByteBuf out, Request.Attach attach) {
        encoded(out, attach.name());
        number(out, attach.opaque());
        option(out, "topic", attach.topic());
        option(out, "kind", attach.kind().word());
        if (attach.selector() != null) {
            option(out, "selector", attach.selector());
        }
        if (attach.noLocal()) {
            option(out, "nolocal", "true");
        }
        if (attach.origin() != null) {
            option(out, "origin", attach.origin());
        }
    }

    private static void reject(ByteBuf out, Request.Reject reject) {
        ranges(out, reject.ranges());
        number(out, reject.opaque());
        if (reject.delayMs() != Request.ABSENT) {
            option(out, "delay", reject.delayMs());
        }
        if (reject.dead()) {
            option(out, "dead", "true");
        }
    }

    private static void detach(ByteBuf out, Request.Detach detach) {
        number(out, detach.opaque());
        if (!detach.delivered().isEmpty()) {
            RequestHead.word(out, "delivered=");
            listed(out, detach.delivered());
        }
    }

    private static void ranges(ByteBuf out, Ranges ranges) {
        if (ranges.isEmpty()) {
            throw new IllegalArgumentException("no ranges where some are needed");
        }
        out.writeByte(' ');
        listed(out, ranges);
    }

    private static void listed(ByteBuf out, Ranges ranges) {
        for (int i = 0; i < ranges.size(); i++) {
            if (i > 0) {
                out.writeByte(',');
            }
            Ascii.writeDecimal(out, ranges.partition(i));
            out.writeByte(':');
            Ascii.writeDecimal(out, ranges.from(i));
            out.writeByte('-');
            Ascii.writeDecimal(out, ranges.to(i));
        }
    }
}
