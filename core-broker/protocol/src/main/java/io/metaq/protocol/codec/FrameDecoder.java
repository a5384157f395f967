package io.metaq.protocol.codec;

import io.metaq.protocol.Limits;
import io.metaq.protocol.ProtocolException;
import io.metaq.protocol.Status;
import io.metaq.protocol.Verb;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a stream into frames: a header line, then as many bytes as the header says.
 *
 * <p>States: {@code LINE} until CR LF; {@code BODY} until the body is whole, then {@code LINE}; {@code SKIP} over a body that nobody
 * wants, then {@code LINE}; {@code ENDED} for good after a malformed frame or the last one.
 *
 * <p>A body that arrived in one piece with its header is handed on as a slice of the piece. One that did not is collected in a
 * buffer of its own, so that the pieces are free at once; once that buffer is there, the connection reads a large body straight into
 * it ({@link BodyReads}) instead of having it copied.
 *
 * <p>A malformed frame is reported once through {@code exceptionCaught} as a bare {@link ProtocolException}; the connection is left
 * to whoever handles that, and what still arrives is dropped.
 */
abstract class FrameDecoder extends ChannelInboundHandlerAdapter {
    /** Less than this is read together with what follows: a system call costs more than the copy. */
    private static final int READ_IN_PLACE = 16 * 1024;

    private enum State {
        LINE,
        BODY,
        SKIP,
        ENDED
    }

    private final Limits limits;
    private final int trustedBytes;
    private final LineBuffer line;
    private final Tokens tokens = new Tokens();

    private State state = State.LINE;
    private boolean headerRead;
    private int missing;
    private @Nullable ByteBuf body;
    private boolean passedOn;

    /**
     * @param trustedBytes how much memory is set aside for a body on its announcement alone; beyond that it grows with what arrives
     */
    FrameDecoder(Limits limits, int trustedBytes) {
        this.limits = limits;
        this.trustedBytes = trustedBytes;
        this.line = new LineBuffer(limits.maxLineBytes());
    }

    /** The verb of the header, which must be one that this side receives. */
    abstract Verb verb(Tokens header);

    /** Length of the body that follows the header; 0 if the verb has none. May be negative or too large: it is checked here. */
    abstract int bodyLength(Verb verb, Tokens header);

    /** Whether frames of this verb are read over. */
    abstract boolean skips(Verb verb);

    /** Whether nothing can follow a frame of this verb. */
    abstract boolean ends(Verb verb);

    /**
     * The frame as a value, which takes over {@code body} unless this throws. Also called with an empty body as soon as the header
     * is complete, and the value dropped, so that a malformed header is found before its body is waited for.
     */
    abstract Object parse(Verb verb, Tokens header, ByteBuf body);

    /** The opaque of a header that could not be understood, if it has one. */
    abstract @Nullable Integer opaque(Tokens header);

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        // Where TLS comes first, what the connection reads is no body yet.
        if (readsTheConnectionItself(ctx)) {
            ctx.channel().config().setRecvByteBufAllocator(new BodyReads(this));
        }
    }

    private boolean readsTheConnectionItself(ChannelHandlerContext ctx) {
        for (Map.Entry<String, ChannelHandler> handler : ctx.pipeline()) {
            if (handler.getValue() == this) {
                return true;
            } else if (handler.getValue() instanceof ByteToMessageDecoder) {
                return false;
            }
        }
        return true;
    }

    /** The buffer that the next bytes belong into and nothing else, with room for some, retained; null if there is none. */
    @Nullable
    ByteBuf roomForBody() {
        ByteBuf collected = body;
        if (collected == null || missing < READ_IN_PLACE) {
            return null;
        }
        makeRoom(collected, 1);
        return collected.retain();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        if (!(msg instanceof ByteBuf in)) {
            ctx.fireChannelRead(msg);
            return;
        }
        try {
            if (in == body) {
                missing = in.maxWritableBytes();
                finishIfWhole(ctx, in);
                return;
            }
            while (in.isReadable() && state != State.ENDED && !ctx.isRemoved()) {
                step(ctx, in);
            }
        } catch (ProtocolException e) {
            ProtocolException reported = headerRead ? withOpaque(e) : e;
            end();
            ctx.fireExceptionCaught(reported);
        } finally {
            in.release();
        }
    }

    private ProtocolException withOpaque(ProtocolException e) {
        return new ProtocolException(e.status(), String.valueOf(e.getMessage()), opaque(tokens));
    }

    private void step(ChannelHandlerContext ctx, ByteBuf in) {
        switch (state) {
            case LINE -> {
                if (line.append(in)) {
                    tokens.split(line.bytes(), line.lineLength());
                    headerRead = true;
                    begin(ctx, in, verb(tokens));
                }
            }
            case BODY -> collect(ctx, in);
            case SKIP -> skip(in);
            case ENDED -> in.skipBytes(in.readableBytes());
        }
    }

    private void begin(ChannelHandlerContext ctx, ByteBuf in, Verb verb) {
        int length = checkedLength(verb);
        if (skips(verb)) {
            missing = length;
            skip(in);
        } else if (length <= in.readableBytes()) {
            finish(ctx, verb, length == 0 ? Unpooled.EMPTY_BUFFER : in.readRetainedSlice(length));
        } else {
            parse(verb, tokens, Unpooled.EMPTY_BUFFER);
            missing = length;
            body = ctx.alloc().buffer(Math.min(length, Math.max(trustedBytes, in.readableBytes())), length);
            state = State.BODY;
            collect(ctx, in);
        }
    }

    private int checkedLength(Verb verb) {
        int length = bodyLength(verb, tokens);
        if (length < 0) {
            throw new ProtocolException(Status.BAD_REQUEST, "a body has a negative length");
        }
        if (length > limits.maxBodyBytes()) {
            throw new ProtocolException(
                    Status.TOO_LARGE, "a body of " + length + " bytes is over the limit of " + limits.maxBodyBytes());
        }
        return length;
    }

    private void collect(ChannelHandlerContext ctx, ByteBuf in) {
        ByteBuf collected = body;
        if (collected == null) {
            throw new IllegalStateException("no body is being collected");
        }
        int count = Math.min(missing, in.readableBytes());
        makeRoom(collected, count);
        collected.writeBytes(in, count);
        missing -= count;
        finishIfWhole(ctx, collected);
    }

    private static void makeRoom(ByteBuf collected, int count) {
        if (count > collected.writableBytes()) {
            int wanted = Math.max(collected.capacity() * 2, collected.readableBytes() + count);
            collected.capacity(Math.min(wanted, collected.maxCapacity()));
        }
    }

    private void finishIfWhole(ChannelHandlerContext ctx, ByteBuf collected) {
        if (missing == 0) {
            body = null;
            finish(ctx, verb(tokens), collected);
        }
    }

    private void skip(ByteBuf in) {
        int count = Math.min(missing, in.readableBytes());
        in.skipBytes(count);
        missing -= count;
        if (missing == 0) {
            nextLine();
        } else {
            state = State.SKIP;
        }
    }

    private void finish(ChannelHandlerContext ctx, Verb verb, ByteBuf whole) {
        Object value;
        try {
            value = parse(verb, tokens, whole);
        } catch (ProtocolException e) {
            whole.release();
            throw e;
        }
        nextLine();
        if (ends(verb)) {
            state = State.ENDED;
        }
        passedOn = true;
        ctx.fireChannelRead(value);
    }

    private void nextLine() {
        line.clear();
        headerRead = false;
        state = State.LINE;
    }

    private void end() {
        state = State.ENDED;
        if (body != null) {
            body.release();
            body = null;
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        // Without auto-read the next handler asks for more when it was given something. If it was not, only we know.
        if (!passedOn && !ctx.channel().config().isAutoRead()) {
            ctx.read();
        }
        passedOn = false;
        ctx.fireChannelReadComplete();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        end();
        ctx.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        end();
    }
}
