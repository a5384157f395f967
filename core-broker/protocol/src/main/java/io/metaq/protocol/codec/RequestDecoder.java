package io.metaq.protocol.codec;

import io.metaq.protocol.Limits;
import io.metaq.protocol.ProtocolException;
import io.metaq.protocol.Request;
import io.metaq.protocol.Status;
import io.metaq.protocol.Verb;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The broker's side of the stream: passes {@link Request}s on. A frame that cannot be understood arrives as a {@link
 * ProtocolException} at {@code exceptionCaught}, after which nothing more is decoded. Frames that only brokers send
 * are read over, as MetaQ 1.4 did. After {@code quit} nothing is read. Use one instance per connection.
 */
public final class RequestDecoder extends FrameDecoder {
    /** A stranger's announcement of a large body must not cost more memory than this. */
    private static final int TRUSTED_BYTES = 256 * 1024;

    private final RequestParser parser = new RequestParser();

    public RequestDecoder(Limits limits) {
        super(limits, TRUSTED_BYTES);
    }

    @Override
    Verb verb(Tokens header) {
        if (header.count() > 0) {
            for (Verb verb : VERBS) {
                if (verb.matches(header.line(), header.start(0), header.end(0))) {
                    return verb;
                }
            }
            throw new ProtocolException(Status.BAD_REQUEST, "unknown verb '" + header.printable(0) + "'");
        }
        throw new ProtocolException(Status.BAD_REQUEST, "an empty line where a request should be");
    }

    @Override
    int bodyLength(Verb verb, Tokens header) {
        return switch (verb) {
            case PUT, SYNC, APPEND, TRANSACT, ENLIST, RESULT, VALUE, MESSAGE, DETACHED ->
                RequestParser.bodyLength(verb, header);
            default -> 0;
        };
    }

    @Override
    boolean skips(Verb verb) {
        return verb.isReply();
    }

    @Override
    boolean ends(Verb verb) {
        return verb == Verb.QUIT;
    }

    @Override
    Request parse(Verb verb, Tokens header, ByteBuf body) {
        return parser.parse(verb, header, body);
    }

    @Override
    @Nullable
    Integer opaque(Tokens header) {
        return RequestParser.opaque(header);
    }

    private static final Verb[] VERBS = Verb.values();
}
