package io.metaq.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;

/** Writes the parts of a {@code transact} body as {@link TransactCursor} reads them. */
public final class TransactWriter {
    private TransactWriter() {}

    /**
     * Appends messages for a partition.
     *
     * @param messages in storage format; copied, and left readable
     * @param count how many they are
     */
    public static void messages(ByteBuf out, String topic, int partition, int count, ByteBuf messages) {
        out.writeByte(TransactCursor.MESSAGES);
        out.writeShort(ByteBufUtil.utf8Bytes(topic));
        ByteBufUtil.writeUtf8(out, topic);
        out.writeInt(partition).writeInt(count).writeInt(messages.readableBytes());
        out.writeBytes(messages, messages.readerIndex(), messages.readableBytes());
    }

    /** Appends what is acknowledged of a consumer's deliveries. */
    public static void acknowledgements(ByteBuf out, int consumer, Ranges ranges) {
        out.writeByte(TransactCursor.ACKNOWLEDGEMENTS);
        out.writeInt(consumer).writeInt(ranges.size());
        ranges.forEach(
                (partition, from, to) -> out.writeInt(partition).writeLong(from).writeLong(to));
    }
}
