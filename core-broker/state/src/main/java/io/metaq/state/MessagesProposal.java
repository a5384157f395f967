package io.metaq.state;

import io.metaq.log.journal.Durability;
import io.metaq.log.journal.Proposal;
import io.metaq.state.record.MessageRecord;
import io.metaq.state.record.RecordType;
import java.nio.ByteBuffer;

/**
 * Messages on their way into one partition. The body is never copied: the journal and the partition log both write from
 * the buffers given here, which must stay untouched until the proposal is committed or failed.
 */
public abstract class MessagesProposal extends Proposal {
    private static final int PUT_HEAD_BYTES = MessageRecord.HEAD_BYTES + MessageRecord.MESSAGE_HEADER_BYTES;

    private final MessageRecord record;
    private final Durability durability;
    private final ByteBuffer head;
    private final ByteBuffer payload;

    private Outcome outcome = Outcome.DONE;
    private long firstId;
    private int partition;
    private long offset;

    /**
     * A batch.
     *
     * @param record what to do with the messages
     * @param messages {@code record.count()} whole stored messages, position to limit
     */
    protected MessagesProposal(MessageRecord record, Durability durability, ByteBuffer messages) {
        this.durability = durability;
        this.record = record;
        this.head = ByteBuffer.allocate(MessageRecord.HEAD_BYTES);
        this.payload = messages;
        record.write(head);
        head.flip();
    }

    /**
     * One message.
     *
     * @param record what to do with it
     * @param checksum CRC-32 of the body and 0x7FFFFFFF
     * @param flag the message's flag, stored as it is
     * @param body the message's body, position to limit
     */
    protected MessagesProposal(MessageRecord record, Durability durability, int checksum, int flag, ByteBuffer body) {
        this.durability = durability;
        this.record = record;
        this.head = ByteBuffer.allocate(PUT_HEAD_BYTES);
        this.payload = body;
        record.write(head);
        head.putInt(body.remaining()).putInt(checksum).putLong(0).putInt(flag).flip();
    }

    @Override
    public final byte type() {
        return RecordType.MESSAGES;
    }

    @Override
    public final Durability durability() {
        return durability;
    }

    @Override
    public final int bodyLength() {
        return head.remaining() + payload.remaining();
    }

    @Override
    public final int body(ByteBuffer[] into, int at) {
        into[at] = head.duplicate();
        into[at + 1] = payload.duplicate();
        return 2;
    }

    final MessageRecord record() {
        return record;
    }

    /**
     * Puts the stored messages into {@code into}: all in one buffer, or the header of one message and its body.
     *
     * @return how many buffers that took
     */
    final int messages(ByteBuffer[] into) {
        if (head.limit() == PUT_HEAD_BYTES) {
            into[0] = head.duplicate().position(MessageRecord.HEAD_BYTES);
            into[1] = payload.duplicate();
            return 2;
        }
        into[0] = payload.duplicate();
        return 1;
    }

    final void stored(long firstId, int partition, long offset) {
        this.partition = partition;
        this.firstId = firstId;
        this.offset = offset;
    }

    final void refused(Refusal reason, String text) {
        outcome = Outcome.refused(reason, text);
    }

    /** What became of the messages; to be asked when committed. */
    public final Outcome outcome() {
        return outcome;
    }

    /** Id of the first message; the others follow one by one. */
    public final long firstId() {
        return firstId;
    }

    /** Byte offset of the first message in its partition. */
    public final long offset() {
        return offset;
    }

    /** Where the messages are; a resend of a broker's choice is answered with the first choice. */
    public final int partition() {
        return partition;
    }
}
