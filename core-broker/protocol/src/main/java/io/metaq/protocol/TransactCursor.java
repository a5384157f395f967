package io.metaq.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/**
 * Walks over the parts of a {@code transact} body, each of which is messages for a partition or acknowledgements of a consumer. All
 * integers are big-endian.
 *
 * <pre>
 * messages          uint8 1, uint16 T, T bytes of topic, int32 partition, int32 count, int32 L, L bytes of messages
 * acknowledgements  uint8 2, int32 consumer, int32 n, n times: int32 partition, int64 from, int64 to
 * </pre>
 *
 * The cursor neither moves the buffer's indices nor owns the buffer.
 */
public final class TransactCursor {
    static final int MESSAGES = 1;
    static final int ACKNOWLEDGEMENTS = 2;
    private static final int RANGE_LENGTH = 4 + 8 + 8;

    private final ByteBuf in;
    private int kind;
    private String topic = "";
    private int partition;
    private int count;
    private ByteBuf messages = Unpooled.EMPTY_BUFFER;
    private int consumer;
    private Ranges ranges = Ranges.none();

    public TransactCursor(ByteBuf body) {
        this.in = body.slice();
    }

    /**
     * Moves to the next part.
     *
     * @return false at the end
     * @throws ProtocolException if the bytes there are no part; nothing behind can be read
     */
    public boolean next() {
        if (!in.isReadable()) {
            return false;
        }
        kind = in.readByte();
        switch (kind) {
            case MESSAGES -> readMessages();
            case ACKNOWLEDGEMENTS -> readAcknowledgements();
            default -> throw malformed("there is no part of kind " + kind);
        }
        return true;
    }

    private void readMessages() {
        need(2);
        int length = in.readUnsignedShort();
        need(length + 12);
        topic = in.readCharSequence(length, StandardCharsets.UTF_8).toString();
        partition = in.readInt();
        count = in.readInt();
        int bytes = in.readInt();
        need(bytes);
        messages = in.readSlice(bytes);
    }

    private void readAcknowledgements() {
        need(8);
        consumer = in.readInt();
        int n = in.readInt();
        if (n < 0 || n > in.readableBytes() / RANGE_LENGTH) {
            throw malformed("a part ends early");
        }
        Ranges.Builder builder = Ranges.builder();
        for (int i = 0; i < n; i++) {
            int at = in.readInt();
            long from = in.readLong();
            long to = in.readLong();
            if (at < 0 || from < 0 || to <= from) {
                throw malformed("a range is none");
            }
            builder.add(at, from, to);
        }
        ranges = builder.build();
    }

    private void need(int bytes) {
        if (bytes < 0 || bytes > in.readableBytes()) {
            throw malformed("a part ends early");
        }
    }

    private static ProtocolException malformed(String why) {
        return new ProtocolException(Status.BAD_REQUEST, "the transaction's body is malformed: " + why);
    }

    /** Whether the part is messages, else it is acknowledgements. */
    public boolean isMessages() {
        return kind == MESSAGES;
    }

    /** Where the messages go. */
    public String topic() {
        return topic;
    }

    /** Where the messages go. */
    public int partition() {
        return partition;
    }

    /** How many messages the sender says there are. */
    public int count() {
        return count;
    }

    /** Messages in storage format; shares the life of the body, not retained. */
    public ByteBuf messages() {
        return messages;
    }

    /** Whose deliveries are acknowledged. */
    public int consumer() {
        return consumer;
    }

    /** What is acknowledged. */
    public Ranges ranges() {
        return ranges;
    }
}
