package io.metaq.broker.command;

import io.metaq.broker.net.Session;
import io.metaq.broker.stats.BrokerCounters;
import io.metaq.protocol.Request;
import io.metaq.protocol.Status;
import io.metaq.protocol.StoredMessage;
import io.metaq.state.TemporaryTopics;
import io.metaq.state.Topic;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.time.Clock;

/** Messages for temporary destinations: into memory and answered at once, past the journal. */
final class TemporaryProduce {
    private final TemporaryTopics topics;
    private final BrokerCounters counters;
    private final Clock clock;

    TemporaryProduce(HandlerContext context) {
        this.topics = context.store().state().temporary();
        this.counters = context.counters();
        this.clock = context.clock();
    }

    /** A message in the buffers of its request, as it is stored. */
    static ByteBuffer stored(int checksum, int flag, ByteBuf body) {
        ByteBuffer message = ByteBuffer.allocate(StoredMessage.HEADER_LENGTH + body.readableBytes())
                .putInt(body.readableBytes())
                .putInt(checksum)
                .putLong(0)
                .putInt(flag);
        body.getBytes(body.readerIndex(), message);
        return message.flip();
    }

    /** Stores messages and answers; the request's body is released. */
    void append(Request.WithBody request, Topic topic, ByteBuffer messages, int count, Session session) {
        try {
            if (topics.full()) {
                refuse(
                        session,
                        request,
                        Status.STORAGE_FULL,
                        "temporary destinations hold " + topics.bytes()
                                + " bytes, as much as they may: consume from them, or delete some");
                return;
            }
            int bytes = messages.remaining();
            TemporaryTopics.Stored stored = topics.append(topic, messages, count, clock.millis());
            if (stored == null) {
                refuse(session, request, Status.NOT_FOUND, "there is no temporary destination " + topic.name());
                return;
            }
            // One name for all of them: there may be very many.
            counters.put(TemporaryTopics.PREFIX, count, bytes);
            session.stored(stored.firstId(), 0, stored.offset(), request.opaque());
        } finally {
            request.release();
        }
    }

    private void refuse(Session session, Request request, Status status, String text) {
        counters.add(TemporaryTopics.PREFIX, BrokerCounters.Item.PUT_FAILED);
        session.reply(status, text, request.opaque());
    }
}
