package io.metaq.state.subscription;

import java.util.Arrays;

/**
 * A growing list of ranges of whole messages in the partitions of a topic, with the number of messages in each. Made to
 * be used again: no object per range.
 */
public final class MessageRanges {
    private static final int FIELDS = 4;

    private long[] fields;
    private int size;

    public MessageRanges() {
        this(4);
    }

    /** @param expected for how many ranges there is to be room at once */
    public MessageRanges(int expected) {
        fields = new long[FIELDS * Math.max(1, expected)];
    }

    /** One range. */
    public static MessageRanges of(int partition, long from, long to, int messages) {
        MessageRanges one = new MessageRanges(1);
        one.add(partition, from, to, messages);
        return one;
    }

    /**
     * Adds the messages from offset {@code from} on and before {@code to}; joined to the range that was added last, if
     * that ends where this one begins.
     */
    public void add(int partition, long from, long to, int messages) {
        int last = FIELDS * (size - 1);
        if (size > 0 && fields[last] == partition && fields[last + 2] == from) {
            fields[last + 2] = to;
            fields[last + 3] += messages;
            return;
        }
        int at = FIELDS * size;
        if (at == fields.length) {
            fields = Arrays.copyOf(fields, 2 * at);
        }
        fields[at] = partition;
        fields[at + 1] = from;
        fields[at + 2] = to;
        fields[at + 3] = messages;
        size++;
    }

    public int size() {
        return size;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    public int partition(int i) {
        return (int) fields[FIELDS * i];
    }

    public long from(int i) {
        return fields[FIELDS * i + 1];
    }

    public long to(int i) {
        return fields[FIELDS * i + 2];
    }

    /** Number of messages in the range. */
    public int messages(int i) {
        return (int) fields[FIELDS * i + 3];
    }

    /** Number of messages in all ranges. */
    public long totalMessages() {
        long total = 0;
        for (int i = 0; i < size; i++) {
            total += messages(i);
        }
        return total;
    }

    public void clear() {
        size = 0;
    }
}
