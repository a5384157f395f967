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
 * is none. The body of a {@code value} or {@code message} is one contiguous buffer. Use one instance per connection.
 */
public final class ResponseDecoder extends FrameDecoder {
    /** The most frequent first. */
    private static final Verb[] REPLIES = {Verb.MESSAGE, Verb.RESULT, Verb.VALUE, Verb.DETACHED};

    /** A client asked for what comes, so memory for a whole body is set aside at once. */
    public ResponseDecoder(Limits limits) {
        super(limits, limits.maxBodyBytes());
    }

    @Override
    Verb verb(Tokens header) {
        if (header.count() > 0) {
            for (Verb verb : REPLIES) {
                if (verb.matches(header.line(), header.start(0), header.end(0))) {
                    return verb;
                }
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
        return switch (verb) {
            case VALUE -> new Response.Value(body, header.integer(2));
            case MESSAGE ->
                new Response.Deliveries(
                        header.integer(1),
                        header.integer(2),
                        header.longInteger(3),
                        header.integer(4),
                        header.integer(5),
                        body);
            case DETACHED -> new Response.Detached(header.integer(1), text(body));
            default -> result(header, body);
        };
    }

    private static Response.Result result(Tokens header, ByteBuf body) {
        int code = header.integer(1);
        int opaque = header.integer(3);
        return new Response.Result(code, text(body), opaque);
    }

    private static String text(ByteBuf body) {
        String text = body.toString(StandardCharsets.UTF_8);
        body.release();
        return text;
    }

    @Override
    @Nullable
    Integer opaque(Tokens header) {
        return header.integerOrNull(header.count() - 1);
    }
}
