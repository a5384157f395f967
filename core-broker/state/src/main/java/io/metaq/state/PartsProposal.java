package io.metaq.state;

import io.metaq.log.journal.Durability;
import io.metaq.log.journal.Proposal;
import io.metaq.state.record.TransactionRecord;
import java.nio.ByteBuffer;
import java.util.List;

/** A record with messages for several partitions, which are never copied, behind a head that tells what they are. */
abstract class PartsProposal extends Proposal {
    private final TransactionRecord record;
    private final Durability durability;
    private final ByteBuffer head;
    private final ByteBuffer[] messages;
    private final int length;

    PartsProposal(TransactionRecord record, ByteBuffer head, List<ByteBuffer> bodies, Durability durability) {
        this.record = record;
        this.durability = durability;
        this.head = head;
        this.messages = bodies(bodies);
        int bytes = head.limit();
        for (ByteBuffer body : messages) {
            bytes += body.remaining();
        }
        this.length = bytes;
    }

    /** The journal takes a body in few pieces: many small ones are copied together. */
    private static ByteBuffer[] bodies(List<ByteBuffer> bodies) {
        if (bodies.size() < MAX_PARTS) {
            return bodies.toArray(ByteBuffer[]::new);
        }
        int bytes = 0;
        for (ByteBuffer body : bodies) {
            bytes += body.remaining();
        }
        ByteBuffer all = ByteBuffer.allocate(bytes);
        for (ByteBuffer body : bodies) {
            all.put(body.duplicate());
        }
        return new ByteBuffer[] {all.flip()};
    }

    @Override
    public final Durability durability() {
        return durability;
    }

    /** What only acknowledges makes room. */
    @Override
    public final boolean essential() {
        return record.messages().isEmpty();
    }

    @Override
    public final int bodyLength() {
        return length;
    }

    @Override
    public final int body(ByteBuffer[] into, int at) {
        into[at] = head.duplicate();
        for (int i = 0; i < messages.length; i++) {
            into[at + 1 + i] = messages[i].duplicate();
        }
        return 1 + messages.length;
    }

    final TransactionRecord record() {
        return record;
    }

    /** The messages of a part in one piece. */
    final ByteBuffer messages(int part) {
        if (messages.length == record.messages().size()) {
            return messages[part].duplicate();
        }
        int at = messages[0].position();
        for (int i = 0; i < part; i++) {
            at += record.messages().get(i).bytes();
        }
        return messages[0]
                .duplicate()
                .limit(at + record.messages().get(part).bytes())
                .position(at);
    }
}
