package io.metaq.client;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/** Messages of one fetch whose checksums are right. */
final class CheckedBatch implements FetchedBatch {

    private final TopicPartition partition;
    private final FetchBuffer buffer;
    private final long offset;
    private final int start;
    private final int bytes;
    private final int count;

    private CheckedBatch(TopicPartition partition, @Nullable ByteBuf content, long offset, int bytes, int count) {
        this.partition = partition;
        this.buffer = new FetchBuffer(content);
        this.offset = offset;
        this.start = content == null ? 0 : content.readerIndex();
        this.bytes = bytes;
        this.count = count;
    }

    static CheckedBatch empty(TopicPartition partition, long offset) {
        return new CheckedBatch(partition, null, offset, 0, 0);
    }

    /**
     * Checks and takes over fetched data. Messages behind a damaged one are left out: the next fetch begins at the damage and then
     * reports it.
     *
     * @throws CorruptMessageException when the first message is damaged; the data is released then
     */
    static CheckedBatch of(TopicPartition partition, BrokerAddress server, Fetched.Data data) {
        ByteBuf content = data.content();
        int intact = intactBytes(content);
        if (intact == content.readableBytes()) {
            return new CheckedBatch(partition, content, data.offset(), intact, data.count());
        }
        if (intact == 0) {
            long next = data.offset() + StorageFormat.HEADER + content.getInt(content.readerIndex());
            content.release();
            throw Failures.corrupt("checksum does not match the message", server, partition, data.offset(), next);
        }
        int count = WholeMessages.in(content.slice(content.readerIndex(), intact), Integer.MAX_VALUE)
                .count();
        return new CheckedBatch(partition, content, data.offset(), intact, count);
    }

    /** Bytes up to the first message whose body does not match its checksum. */
    private static int intactBytes(ByteBuf content) {
        ByteBuffer bytes = content.nioBuffer();
        int end = bytes.limit();
        CRC32 crc = new CRC32();
        int at = 0;
        while (at < end) {
            int body = at + StorageFormat.HEADER;
            int length = bytes.getInt(at);
            int expected = bytes.getInt(at + 4);
            crc.reset();
            bytes.limit(body + length).position(body);
            crc.update(bytes);
            bytes.limit(end);
            if (((int) crc.getValue() & 0x7FFFFFFF) != expected) {
                return at;
            }
            at = body + length;
        }
        return at;
    }

    /** Size with its header of the message at this byte position. */
    int sizeAt(long position) {
        return StorageFormat.HEADER + buffer.content().getInt(start + (int) (position - offset));
    }

    @Override
    public TopicPartition partition() {
        return partition;
    }

    @Override
    public long offset() {
        return offset;
    }

    @Override
    public long nextOffset() {
        return offset + bytes;
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public int bytes() {
        return bytes;
    }

    @Override
    public Iterator<Message> iterator() {
        return new Iterator<>() {
            private int at = start;

            @Override
            public boolean hasNext() {
                return at < start + bytes;
            }

            @Override
            public Message next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                Message message = message(at);
                at += StorageFormat.HEADER + buffer.content().getInt(at);
                return message;
            }
        };
    }

    private Message message(int at) {
        ByteBuf content = buffer.content();
        int length = content.getInt(at);
        int flag = content.getInt(at + 16);
        int body = at + StorageFormat.HEADER;
        long place = offset + at - start;
        String attribute = null;
        int skipped = 0;
        if ((flag & StorageFormat.FLAG_ATTRIBUTE) != 0 && length >= 4) {
            int attributeLength = content.getInt(body);
            if (attributeLength >= 0 && attributeLength <= length - 4) {
                attribute = content.toString(body + 4, attributeLength, StandardCharsets.UTF_8);
                skipped = 4 + attributeLength;
            }
        }
        return Message.received(
                partition,
                content.getLong(at + 8),
                place,
                flag,
                attribute,
                new MessageData(buffer, body + skipped, length - skipped));
    }

    @Override
    public void close() {
        buffer.release();
    }
}
