package io.metaq.broker.command;

import io.metaq.broker.net.Reply;
import io.metaq.broker.net.Session;
import io.metaq.broker.stats.BrokerCounters;
import io.metaq.log.journal.Durability;
import io.metaq.protocol.Status;
import io.metaq.state.MessagesProposal;
import io.metaq.state.Outcome;
import io.metaq.state.record.MessageRecord;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Messages of a client on their way through the journal, and the answer to it. */
final class ProduceProposal extends MessagesProposal implements Reply {
    /** Whose message it is, where its answer goes and what to call its partition in an error. */
    record Origin(Session session, int opaque, String topic, BrokerCounters counters, ErrorTexts texts) {}

    private final Origin origin;
    private final ByteBuf body;
    private final int count;
    private @Nullable Throwable failure;

    ProduceProposal(Origin origin, MessageRecord record, Durability durability, ByteBuf body, ByteBuffer messages) {
        super(record, durability, messages);
        this.origin = origin;
        this.body = body;
        this.count = record.count();
    }

    ProduceProposal(
            Origin origin,
            MessageRecord record,
            Durability durability,
            int checksum,
            int flag,
            ByteBuf body,
            ByteBuffer message) {
        super(record, durability, checksum, flag, message);
        this.origin = origin;
        this.body = body;
        this.count = record.count();
    }

    @Override
    public void committed() {
        origin.session().answered(this);
    }

    @Override
    public void failed(Throwable cause) {
        failure = cause;
        origin.session().later(this);
    }

    @Override
    public Session session() {
        return origin.session();
    }

    @Override
    public void reply() {
        int bytes = body.readableBytes();
        body.release();
        if (failure != null) {
            refuse(ErrorTexts.status(failure), ErrorTexts.text(failure));
        } else if (outcome() instanceof Outcome.Refused refused) {
            refuse(ErrorTexts.status(refused.reason()), refused.text());
        } else {
            origin.counters().put(origin.topic(), count, bytes);
            origin.session().stored(firstId(), partition(), offset(), origin.opaque());
        }
        origin.session().written(bytes);
    }

    private void refuse(Status status, String detail) {
        origin.counters().add(origin.topic(), BrokerCounters.Item.PUT_FAILED);
        origin.session().reply(status, origin.texts().putFailed(origin.topic(), partition(), detail), origin.opaque());
    }
}
