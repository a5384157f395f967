package io.metaq.protocol.codec;

import io.metaq.protocol.Durability;
import io.metaq.protocol.Request;
import io.metaq.protocol.Verb;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.Locale;
import java.util.Map;

/** The header lines of requests. Options that were not given are not written, so a 1.4 broker reads what it knows. */
public final class RequestHead {
    private RequestHead() {}

    /**
     * Appends the header line with its CR LF; the body, if any, is to follow.
     *
     * @throws IllegalArgumentException if a name is empty or holds a space or a control character
     */
    public static void write(ByteBuf out, Request request) {
        request.verb().write(out);
        if (request instanceof Request.Put put) {
            put(out, put);
        } else if (request instanceof Request.Append append) {
            append(out, append);
        } else if (request instanceof Request.Get get) {
            get(out, get);
        } else if (request instanceof Request.Offset offset) {
            offset(out, offset);
        } else if (request instanceof Request.Stats stats) {
            stats(out, stats);
        } else if (request instanceof Request.Version version) {
            version(out, version);
        } else if (request instanceof Request.Transaction transaction) {
            TransactionHead.transaction(out, transaction);
        } else if (request instanceof Request.Sync sync) {
            sync(out, sync);
        } else if (request instanceof Request.Admin admin) {
            admin(out, admin);
        } else if (request instanceof Request.OfConsumer ofConsumer) {
            ConsumerHead.write(out, ofConsumer);
        } else if (request instanceof Request.Transact transact) {
            TransactionHead.transact(out, transact);
        } else if (request instanceof Request.Enlist enlist) {
            TransactionHead.enlist(out, enlist);
        } else if (request instanceof Request.Login login) {
            encoded(out, login.user());
            number(out, login.opaque());
            option(out, "password", login.password());
        } else if (request instanceof Request.ClientId client) {
            encoded(out, client.id());
            number(out, client.opaque());
        } else if (!(request instanceof Request.Quit)) {
            throw new IllegalArgumentException("nobody sends a " + request);
        }
        out.writeShort(Ascii.CRLF);
    }

    private static void put(ByteBuf out, Request.Put put) {
        word(out, put.topic());
        number(out, put.partition());
        number(out, put.body().readableBytes());
        number(out, put.flag());
        if (put.checksum() != Request.NO_CHECKSUM) {
            number(out, put.checksum());
        }
        if (put.transactionKey() != null) {
            word(out, put.transactionKey());
        }
        number(out, put.opaque());
    }

    private static void append(ByteBuf out, Request.Append append) {
        word(out, append.topic());
        number(out, append.partition());
        number(out, append.count());
        number(out, append.body().readableBytes());
        number(out, append.opaque());
        if (append.idempotent()) {
            option(out, "producer", append.producerId());
            option(out, "seq", append.sequence());
        }
        if (append.durability() != Durability.TOPIC) {
            option(out, "durability", append.durability().word());
        }
    }

    private static void get(ByteBuf out, Request.Get get) {
        word(out, get.topic());
        word(out, get.group());
        number(out, get.partition());
        number(out, get.offset());
        number(out, get.maxSize());
        number(out, get.opaque());
        if (get.waitMs() != Request.ABSENT) {
            option(out, "wait", get.waitMs());
        }
        if (get.minBytes() != Request.ABSENT) {
            option(out, "min", get.minBytes());
        }
    }

    private static void offset(ByteBuf out, Request.Offset offset) {
        word(out, offset.topic());
        word(out, offset.group());
        number(out, offset.partition());
        number(out, offset.offset());
        number(out, offset.opaque());
        if (offset.timeMs() != Request.ABSENT) {
            option(out, "time", offset.timeMs());
        }
        if (offset.at() != null) {
            option(out, "at", offset.at().name().toLowerCase(Locale.ROOT));
        }
    }

    private static void stats(ByteBuf out, Request.Stats stats) {
        if (stats.item() != null) {
            word(out, stats.item());
        }
        if (stats.opaque() != Request.NO_OPAQUE) {
            if (stats.item() == null) {
                // The item is there, and empty: a lone argument would be taken for it.
                out.writeByte(' ');
            }
            number(out, stats.opaque());
        }
    }

    private static void version(ByteBuf out, Request.Version version) {
        if (version.opaque() != Request.NO_OPAQUE || version.protocol() != null || version.client() != null) {
            number(out, version.opaque());
        }
        if (version.protocol() != null) {
            option(out, "protocol", version.protocol());
        }
        if (version.client() != null) {
            option(out, "client", version.client());
        }
    }

    private static void sync(ByteBuf out, Request.Sync sync) {
        word(out, sync.topic());
        number(out, sync.partition());
        number(out, sync.body().readableBytes());
        number(out, sync.flag());
        number(out, sync.messageId());
        if (sync.checksum() != Request.NO_CHECKSUM) {
            number(out, sync.checksum());
        }
        number(out, sync.opaque());
    }

    private static void admin(ByteBuf out, Request.Admin admin) {
        word(out, admin.operation().word());
        if (admin.operation().family() == Verb.SUBSCRIPTION) {
            encoded(out, admin.name());
        } else {
            word(out, admin.name());
        }
        number(out, admin.opaque());
        for (Map.Entry<String, String> option : admin.options().entrySet()) {
            option(out, option.getKey(), option.getValue());
        }
    }

    static void number(ByteBuf out, long number) {
        out.writeByte(' ');
        Ascii.writeDecimal(out, number);
    }

    static void option(ByteBuf out, String key, long value) {
        word(out, key);
        out.writeByte('=');
        Ascii.writeDecimal(out, value);
    }

    static void option(ByteBuf out, String key, String value) {
        word(out, key);
        out.writeByte('=');
        ByteBufUtil.writeUtf8(out, PercentCode.encode(value));
    }

    /** A name that may hold anything. */
    static void encoded(ByteBuf out, String name) {
        word(out, PercentCode.encode(name));
    }

    static void word(ByteBuf out, String word) {
        if (!fits(word)) {
            throw new IllegalArgumentException("'" + word + "' cannot stand in a header: it is empty or holds spaces");
        }
        out.writeByte(' ');
        ByteBufUtil.writeUtf8(out, word);
    }

    /** A name with a space or a line end in it would be read as something else, at worst as a second request. */
    private static boolean fits(String word) {
        for (int i = 0; i < word.length(); i++) {
            if (word.charAt(i) <= ' ' || word.charAt(i) == 0x7F) {
                return false;
            }
        }
        return !word.isEmpty();
    }
}
