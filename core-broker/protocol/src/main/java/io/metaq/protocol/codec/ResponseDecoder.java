package io.metaq.protocol.codec;

import io.metaq.protocol.Limits;
import io.metaq.protocol.ProtocolException;
import io.metaq.protocol.Response;
import io.metaq.protocol.Status;
import io.metaq.protocol.Verb;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The client's side of the stream: passes {@link Response}s on, and a {@link ProtocolException} to {@code exceptionCaught} for what
 * is none. The body of a {@code value} is one contiguous buffer. Use one instance per connection.
 */
public final class ResponseDecoder extends FrameDecoder {
    /** A client asked for what comes, so memory for a whole body is set aside at once. */
    public ResponseDecoder(Limits limits) {
        super(limits, limits.maxBodyBytes());
    }

    @Override
    Verb verb(Tokens header) {
        if (header.count() > 0) {
            if (Verb.VALUE.matches(header.line(), header.start(0), header.end(0))) {
                return Verb.VALUE;
            }
            if (Verb.RESULT.matches(header.line(), header.start(0), header.end(0))) {
                return Verb.RESULT;
            }
            throw new ProtocolException(
                    Status.FAILED, "unknown reply '" + header.printable(0) + "': is this a MetaQ broker?");
        }
        throw new ProtocolException(Status.FAILED, "an empty line where a reply should be");
    }

    @Override
    int bodyLength(Verb verb, Tokens header) {
        return RequestParser.bodyLength(verb, header);
    }

    @Override
    boolean skips(Verb verb) {
        return false;
    }

    @Override
    boolean ends(Verb verb) {
        return false;
    }

    @Override
    Response parse(Verb verb, Tokens header, ByteBuf body) {
        if (verb == Verb.VALUE) {
            return new Response.Value(body, header.integer(2));
        }
        Response.Result result =
                new Response.Result(header.integer(1), body.toString(StandardCharsets.UTF_8), header.integer(3));
        body.release();
        return result;
    }

    @Override
    @Nullable
    Integer opaque(Tokens header) {
        return header.integerOrNull(header.count() - 1);
    }
}
