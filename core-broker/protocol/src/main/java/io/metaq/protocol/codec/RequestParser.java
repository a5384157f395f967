package io.metaq.protocol.codec;

import io.metaq.protocol.Durability;
import io.metaq.protocol.ProtocolException;
import io.metaq.protocol.Request;
import io.metaq.protocol.Status;
import io.metaq.protocol.Verb;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * A header line, and a body, to a {@link Request}. What makes the frame itself doubtful is a {@link ProtocolException}; what is
 * merely not offered becomes a {@link Request.Rejected}.
 */
final class RequestParser {
    private static final byte[] WAIT = Ascii.bytes("wait=");
    private static final byte[] MIN = Ascii.bytes("min=");
    private static final byte[] TIME = Ascii.bytes("time=");
    private static final byte[] AT = Ascii.bytes("at=");
    static final byte[] PRODUCER = Ascii.bytes("producer=");
    static final byte[] SEQUENCE = Ascii.bytes("seq=");
    private static final byte[] DURABILITY = Ascii.bytes("durability=");
    private static final byte[] PROTOCOL = Ascii.bytes("protocol=");
    private static final byte[] CLIENT = Ascii.bytes("client=");

    private final NameCache names = new NameCache();

    /** Length of the body of a verb that has one. */
    static int bodyLength(Verb verb, Tokens t) {
        return switch (verb) {
            case PUT -> counted(t, 6, 8, "put T P LEN FLAG [CRC] [TXKEY] OPQ").integer(3);
            case SYNC -> counted(t, 7, 8, "sync T P LEN FLAG MSGID [CRC] OPQ").integer(3);
            case APPEND ->
                counted(t, 6, Integer.MAX_VALUE, "append T P COUNT LEN OPQ [options]")
                        .integer(4);
            case TRANSACT ->
                counted(t, 3, Integer.MAX_VALUE, "transact LEN OPQ [options]").integer(1);
            case ENLIST ->
                counted(t, 4, Integer.MAX_VALUE, "enlist KEY LEN OPQ [options]").integer(2);
            case RESULT -> counted(t, 4, 4, "result CODE LEN OPQ").integer(2);
            case VALUE -> counted(t, 3, 3, "value LEN OPQ").integer(1);
            case MESSAGE ->
                counted(t, 7, 7, "message CONSUMER PARTITION OFFSET COUNT DELIVERY LEN")
                        .integer(6);
            case DETACHED -> counted(t, 3, 3, "detached CONSUMER LEN").integer(2);
            default -> 0;
        };
    }

    /** Where the opaque of a request stands if it can be read; used to tell a client about a header that makes no sense. */
    static @Nullable Integer opaque(Tokens t) {
        if (t.count() < 2) {
            return null;
        }
        return t.integerOrNull(
                switch (t.printable(0)) {
                    case "get" -> 6;
                    case "append", "offset" -> 5;
                    case "topic",
                            "group",
                            "subscription",
                            "tx",
                            "attach",
                            "drain",
                            "ack",
                            "reject",
                            "release",
                            "enlist" -> 3;
                    case "stats", "login", "client", "detach", "transact" -> 2;
                    case "version" -> 1;
                    case "transaction" -> TransactionParser.opaquePlace(t);
                    default -> t.count() - 1;
                });
    }

    /** Takes over {@code body} unless it throws. */
    Request parse(Verb verb, Tokens t, ByteBuf body) {
        try {
            return switch (verb) {
                case PUT -> put(t, body);
                case APPEND -> append(t, body);
                case GET -> get(t);
                case OFFSET -> offset(t);
                case STATS -> stats(t);
                case VERSION -> version(t);
                case QUIT -> new Request.Quit(t.count() > 1 ? orDefault(t.integerOrNull(1)) : Request.NO_OPAQUE);
                case TRANSACTION -> TransactionParser.parse(t);
                case SYNC -> sync(t, body);
                case TOPIC, GROUP, SUBSCRIPTION, TX -> AdminParser.parse(verb, t);
                case LOGIN -> SessionParser.login(t);
                case CLIENT -> SessionParser.client(t);
                case ATTACH -> ConsumerParser.attach(t);
                case CREDIT -> ConsumerParser.credit(t);
                case DRAIN -> ConsumerParser.drain(t);
                case ACK -> ConsumerParser.ack(t);
                case REJECT -> ConsumerParser.reject(t);
                case RELEASE -> ConsumerParser.release(t);
                case DETACH -> ConsumerParser.detach(t);
                case TRANSACT -> TransactionParser.transact(t, body);
                case ENLIST -> TransactionParser.enlist(t, body);
                case RESULT, VALUE, MESSAGE, DETACHED -> throw new IllegalArgumentException(verb + " is not a request");
            };
        } catch (RejectedOptionException e) {
            body.release();
            return new Request.Rejected(verb, Status.BAD_REQUEST, String.valueOf(e.getMessage()), orDefault(opaque(t)));
        }
    }

    private Request.Put put(Tokens t, ByteBuf body) {
        int last = t.count() - 1;
        int checksum = Request.NO_CHECKSUM;
        String key = null;
        if (last == 7) {
            checksum = t.integer(5);
            key = transactionKey(t, 6);
        } else if (last == 6 && t.looksNumeric(5)) {
            checksum = t.integer(5);
        } else if (last == 6) {
            key = transactionKey(t, 5);
        }
        return new Request.Put(name(t, 1), t.integer(2), t.integer(4), checksum, key, body, t.integer(last));
    }

    private static String transactionKey(Tokens t, int token) {
        String key = t.text(token);
        TransactionParser.key(key);
        return key;
    }

    private Request.Append append(Tokens t, ByteBuf body) {
        long producer = Request.NO_PRODUCER;
        long sequence = Request.ABSENT;
        Durability durability = Durability.TOPIC;
        for (int i = 6; i < t.count(); i++) {
            if (t.startsWith(i, PRODUCER)) {
                producer = Options.longNumber(t, i, PRODUCER);
            } else if (t.startsWith(i, SEQUENCE)) {
                sequence = Options.number(t, i, SEQUENCE, Long.MAX_VALUE);
            } else if (t.startsWith(i, DURABILITY)) {
                durability = durability(Options.value(t, i, DURABILITY));
            } else {
                throw Options.unknown(t, i, Verb.APPEND);
            }
        }
        checkPair(producer, sequence);
        return new Request.Append(
                name(t, 1), t.integer(2), t.integer(3), body, t.integer(5), producer, sequence, durability);
    }

    static void checkPair(long producer, long sequence) {
        if ((producer == Request.NO_PRODUCER) != (sequence == Request.ABSENT)) {
            throw new RejectedOptionException("producer, which is not 0, and seq need each other");
        }
    }

    private static Durability durability(String word) {
        return switch (word) {
            case "os" -> Durability.OS;
            case "disk" -> Durability.DISK;
            default -> throw new RejectedOptionException("durability is os or disk, not '" + word + "'");
        };
    }

    private Request.Get get(Tokens t) {
        counted(t, 7, Integer.MAX_VALUE, "get T G P OFFSET MAXSIZE OPQ [options]");
        int wait = Request.ABSENT;
        int min = Request.ABSENT;
        for (int i = 7; i < t.count(); i++) {
            if (t.startsWith(i, WAIT)) {
                wait = (int) Options.number(t, i, WAIT, Integer.MAX_VALUE);
            } else if (t.startsWith(i, MIN)) {
                min = (int) Options.number(t, i, MIN, Integer.MAX_VALUE);
            } else if (t.isOption(i)) {
                throw Options.unknown(t, i, Verb.GET);
            }
        }
        return new Request.Get(
                name(t, 1), name(t, 2), t.integer(3), t.longInteger(4), t.integer(5), t.integer(6), wait, min);
    }

    private Request.Offset offset(Tokens t) {
        counted(t, 6, Integer.MAX_VALUE, "offset T G P OFFSET OPQ [options]");
        long time = Request.ABSENT;
        Request.Edge at = null;
        for (int i = 6; i < t.count(); i++) {
            if (t.startsWith(i, TIME)) {
                time = Options.number(t, i, TIME, Long.MAX_VALUE);
            } else if (t.startsWith(i, AT)) {
                at = edge(Options.value(t, i, AT));
            } else if (t.isOption(i)) {
                throw Options.unknown(t, i, Verb.OFFSET);
            }
        }
        if (time != Request.ABSENT && at != null) {
            throw new RejectedOptionException("give time or at, not both");
        }
        return new Request.Offset(name(t, 1), name(t, 2), t.integer(3), t.longInteger(4), t.integer(5), time, at);
    }

    private static Request.Edge edge(String word) {
        return switch (word) {
            case "first" -> Request.Edge.FIRST;
            case "last" -> Request.Edge.LAST;
            default -> throw new RejectedOptionException("at is first or last, not '" + word + "'");
        };
    }

    /** A single argument is always the item, never the opaque; an empty item asks for the broker's figures. */
    private static Request.Stats stats(Tokens t) {
        counted(t, 1, 3, "stats [ITEM] [OPQ]");
        String item = t.count() < 2 || t.isEmpty(1) ? null : t.text(1);
        return new Request.Stats(item, t.count() < 3 ? Request.NO_OPAQUE : t.integer(2));
    }

    /** Unknown options are passed over here alone: an older broker must be able to answer whatever a newer client offers. */
    private static Request.Version version(Tokens t) {
        int opaque = t.count() < 2 ? Request.NO_OPAQUE : t.integer(1);
        Integer protocol = null;
        String client = null;
        for (int i = 2; i < t.count(); i++) {
            if (t.startsWith(i, PROTOCOL)) {
                protocol = (int) Options.number(t, i, PROTOCOL, Integer.MAX_VALUE);
            } else if (t.startsWith(i, CLIENT)) {
                client = Options.value(t, i, CLIENT);
            }
        }
        return new Request.Version(opaque, protocol, client);
    }

    private Request.Sync sync(Tokens t, ByteBuf body) {
        int last = t.count() - 1;
        int checksum = last == 7 ? t.integer(6) : Request.NO_CHECKSUM;
        return new Request.Sync(
                name(t, 1), t.integer(2), t.integer(4), t.longInteger(5), checksum, body, t.integer(last));
    }

    private String name(Tokens t, int token) {
        if (t.isEmpty(token)) {
            throw new ProtocolException(Status.BAD_REQUEST, "two spaces where one separates");
        }
        return names.get(t, token);
    }

    static Tokens counted(Tokens t, int min, int max, String usage) {
        if (t.count() < min || t.count() > max) {
            throw new ProtocolException(Status.BAD_REQUEST, "expected '" + usage + "', got " + t.count() + " tokens");
        }
        return t;
    }

    private static int orDefault(@Nullable Integer opaque) {
        return opaque == null ? Request.NO_OPAQUE : opaque;
    }
}
