package io.metaq.protocol.codec;

import io.metaq.protocol.AttachKind;
import io.metaq.protocol.ProtocolException;
import io.metaq.protocol.Ranges;
import io.metaq.protocol.Request;
import io.metaq.protocol.Verb;
import org.jspecify.annotations.Nullable;

/** What concerns one consumer of a connection, whose number is always the first argument. */
final class ConsumerParser {
    private static final byte[] TOPIC = Ascii.bytes("topic=");
    private static final byte[] KIND = Ascii.bytes("kind=");
    private static final byte[] SELECTOR = Ascii.bytes("selector=");
    private static final byte[] NO_LOCAL = Ascii.bytes("nolocal=");
    private static final byte[] ORIGIN = Ascii.bytes("origin=");
    private static final byte[] REPLY = Ascii.bytes("reply=");
    private static final byte[] DELAY = Ascii.bytes("delay=");
    private static final byte[] DEAD = Ascii.bytes("dead=");
    private static final byte[] DELIVERED = Ascii.bytes("delivered=");

    private ConsumerParser() {}

    static Request.Attach attach(Tokens t) {
        RequestParser.counted(t, 4, Integer.MAX_VALUE, "attach CONSUMER NAME OPQ topic=T kind=K [options]");
        int consumer = t.integer(1);
        int opaque = t.integer(3);
        String topic = null;
        AttachKind kind = null;
        String selector = null;
        String origin = null;
        boolean noLocal = false;
        for (int i = 4; i < t.count(); i++) {
            if (t.startsWith(i, TOPIC)) {
                topic = Options.value(t, i, TOPIC);
            } else if (t.startsWith(i, KIND)) {
                kind = AttachKind.of(Options.value(t, i, KIND));
            } else if (t.startsWith(i, SELECTOR)) {
                selector = emptyToNull(Options.value(t, i, SELECTOR));
            } else if (t.startsWith(i, NO_LOCAL)) {
                noLocal = Options.truth(t, i, NO_LOCAL);
            } else if (t.startsWith(i, ORIGIN)) {
                origin = Options.value(t, i, ORIGIN);
            } else {
                throw Options.unknown(t, i, Verb.ATTACH);
            }
        }
        if (topic == null || topic.isEmpty() || kind == null) {
            throw new RejectedOptionException(
                    "attach needs topic= and kind=queue|durable|shared-durable|shared|exclusive|browse");
        }
        return new Request.Attach(consumer, SessionParser.name(t, 2), topic, kind, selector, noLocal, origin, opaque);
    }

    private static @Nullable String emptyToNull(String text) {
        return text.isEmpty() ? null : text;
    }

    static Request.Credit credit(Tokens t) {
        RequestParser.counted(t, 4, 4, "credit CONSUMER MESSAGES BYTES");
        return new Request.Credit(t.integer(1), amount(t, 2), amount(t, 3));
    }

    static Request.Drain drain(Tokens t) {
        RequestParser.counted(t, 4, 4, "drain CONSUMER MESSAGES OPQ");
        return new Request.Drain(t.integer(1), amount(t, 2), t.integer(3));
    }

    private static int amount(Tokens t, int token) {
        return (int) t.numberFrom(token, t.start(token), Integer.MAX_VALUE);
    }

    static Request.Ack ack(Tokens t) {
        RequestParser.counted(t, 4, Integer.MAX_VALUE, "ack CONSUMER RANGES OPQ [reply=no]");
        boolean answered = true;
        for (int i = 4; i < t.count(); i++) {
            if (!t.startsWith(i, REPLY)) {
                throw Options.unknown(t, i, Verb.ACK);
            }
            answered = switch (Options.value(t, i, REPLY)) {
                case "no" -> false;
                case "yes" -> true;
                default -> throw new RejectedOptionException("reply is yes or no");
            };
        }
        return new Request.Ack(t.integer(1), ranges(t, 2), t.integer(3), answered);
    }

    static Request.Reject reject(Tokens t) {
        RequestParser.counted(t, 4, Integer.MAX_VALUE, "reject CONSUMER RANGES OPQ [options]");
        long delay = Request.ABSENT;
        boolean dead = false;
        for (int i = 4; i < t.count(); i++) {
            if (t.startsWith(i, DELAY)) {
                delay = Options.number(t, i, DELAY, Long.MAX_VALUE);
            } else if (t.startsWith(i, DEAD)) {
                dead = Options.truth(t, i, DEAD);
            } else {
                throw Options.unknown(t, i, Verb.REJECT);
            }
        }
        return new Request.Reject(t.integer(1), ranges(t, 2), t.integer(3), delay, dead);
    }

    static Request.Release release(Tokens t) {
        RequestParser.counted(t, 4, 4, "release CONSUMER RANGES OPQ");
        return new Request.Release(t.integer(1), ranges(t, 2), t.integer(3));
    }

    static Request.Detach detach(Tokens t) {
        RequestParser.counted(t, 3, Integer.MAX_VALUE, "detach CONSUMER OPQ [delivered=RANGES]");
        Ranges delivered = Ranges.none();
        for (int i = 3; i < t.count(); i++) {
            if (!t.startsWith(i, DELIVERED)) {
                throw Options.unknown(t, i, Verb.DETACH);
            }
            delivered = optionalRanges(t, i);
        }
        return new Request.Detach(t.integer(1), t.integer(2), delivered);
    }

    private static Ranges optionalRanges(Tokens t, int token) {
        try {
            return Ranges.parse(t.line(), t.start(token) + DELIVERED.length, t.end(token));
        } catch (ProtocolException e) {
            throw new RejectedOptionException("delivered is " + e.getMessage());
        }
    }

    private static Ranges ranges(Tokens t, int token) {
        return Ranges.parse(t.line(), t.start(token), t.end(token));
    }
}
