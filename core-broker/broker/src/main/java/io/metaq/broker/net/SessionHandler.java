package io.metaq.broker.net;

import io.metaq.protocol.ProtocolException;
import io.metaq.protocol.Request;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.handler.timeout.IdleStateEvent;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** From netty's events to the session's. A connection that cannot be understood is closed with one log line. */
final class SessionHandler extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(SessionHandler.class);

    private final Session session;
    private boolean closing;

    SessionHandler(Session session) {
        this.session = session;
    }

    /** Takes no further request. On the event loop. */
    void stop() {
        session.hold();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        Request request = (Request) message;
        if (closing) {
            request.release();
        } else {
            session.received(request);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        session.flush();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        session.readOn();
        if (context.channel().isWritable()) {
            session.roomAgain();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        session.closed();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof IdleStateEvent) {
            LOG.info("connection of {} closed: nothing came for too long", session);
            context.close();
        } else if (event instanceof SslHandshakeCompletionEvent handshake && !handshake.isSuccess()) {
            LOG.warn("connection of {} closed: no TLS with it: {}", session, reason(handshake.cause()));
            context.close();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable thrown) {
        if (closing) {
            return;
        }
        closing = true;
        Throwable cause = thrown instanceof DecoderException && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (cause instanceof ProtocolException fault) {
            LOG.warn("connection of {} closed: {}", session, fault.getMessage());
            if (session.negotiated() && fault.opaque().isPresent()) {
                session.reply(
                        fault.status(),
                        String.valueOf(fault.getMessage()),
                        fault.opaque().getAsInt());
            }
            session.close();
        } else if (cause instanceof IOException) {
            LOG.debug("connection of {} lost: {}", session, reason(cause));
            context.close();
        } else {
            LOG.error("connection of {} closed by a fault", session, cause);
            context.close();
        }
    }

    /** Not the bytes of who speaks something else: a password may be among them. */
    private static String reason(Throwable cause) {
        return cause instanceof NotSslRecordException ? "what it says is not TLS" : String.valueOf(cause.getMessage());
    }
}
