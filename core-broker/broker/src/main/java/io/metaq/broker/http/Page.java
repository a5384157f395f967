package io.metaq.broker.http;

import io.metaq.protocol.MessageCursor;
import io.metaq.protocol.StoredMessage;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Whole messages of one partition, one behind the other.
 *
 * @param bytes in storage format; what stands behind {@code length} is of no interest
 * @param length bytes of the messages
 * @param offset of the first
 */
record Page(int partition, long offset, byte[] bytes, int length, int count) {
    long nextOffset() {
        return offset + length;
    }

    static Page empty(int partition, long offset) {
        return new Page(partition, offset, new byte[0], 0, 0);
    }

    byte[] stored() {
        return Arrays.copyOf(bytes, length);
    }

    List<StoredAt> messages() {
        List<StoredAt> messages = new ArrayList<>(count);
        MessageCursor cursor = new MessageCursor(Unpooled.wrappedBuffer(bytes, 0, length));
        int from = 0;
        while (cursor.next()) {
            ByteBuffer body = ByteBuffer.wrap(bytes, from + StoredMessage.HEADER_LENGTH, cursor.bodyLength())
                    .slice();
            messages.add(StoredAt.of(
                    cursor.id(), cursor.flag(), partition, offset + from, offset + cursor.consumed(), body));
            from = cursor.consumed();
        }
        return messages;
    }
}
