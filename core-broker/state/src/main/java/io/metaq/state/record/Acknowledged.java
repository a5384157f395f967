package io.metaq.state.record;

import io.metaq.state.format.Varints;
import io.metaq.state.subscription.MessageRanges;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * The body of an acknowledgement record: the subscription's number, then for each range its partition, first offset, length
 * in bytes and number of messages, all of variable length. The most frequent record beside messages, hence compact and
 * read without an object per range.
 */
public final class Acknowledged {
    private Acknowledged() {}

    /** Bytes that {@link #write} takes. */
    public static int bytes(int subscriptionId, MessageRanges ranges) {
        int bytes = Varints.size(subscriptionId);
        for (int i = 0; i < ranges.size(); i++) {
            bytes += Varints.size(ranges.partition(i))
                    + Varints.size(ranges.from(i))
                    + Varints.size(ranges.to(i) - ranges.from(i))
                    + Varints.size(ranges.messages(i));
        }
        return bytes;
    }

    public static void write(ByteBuffer to, int subscriptionId, MessageRanges ranges) {
        Varints.put(to, subscriptionId);
        for (int i = 0; i < ranges.size(); i++) {
            Varints.put(to, ranges.partition(i));
            Varints.put(to, ranges.from(i));
            Varints.put(to, ranges.to(i) - ranges.from(i));
            Varints.put(to, ranges.messages(i));
        }
    }

    public static ByteBuffer encode(int subscriptionId, MessageRanges ranges) {
        ByteBuffer body = ByteBuffer.allocate(bytes(subscriptionId, ranges));
        write(body, subscriptionId, ranges);
        return body.flip();
    }

    /**
     * Reads from position to limit.
     *
     * @param into emptied, then filled with the ranges
     * @return number of the subscription
     * @throws IllegalArgumentException for a body that ends early
     */
    public static int read(ByteBuffer from, MessageRanges into) {
        into.clear();
        try {
            int subscriptionId = (int) Varints.get(from);
            while (from.hasRemaining()) {
                int partition = (int) Varints.get(from);
                long start = Varints.get(from);
                long end = start + Varints.get(from);
                into.add(partition, start, end, (int) Varints.get(from));
            }
            return subscriptionId;
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("acknowledgement ends early", e);
        }
    }
}
