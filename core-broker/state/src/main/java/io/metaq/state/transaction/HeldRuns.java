package io.metaq.state.transaction;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;

/**
 * For which partitions the messages of a transaction are meant, in the order in which they came. No object for each. A run has its
 * place in its partition as a whole, in one segment file, and is read in one go.
 */
final class HeldRuns {
    private static final int FIELDS = 4;
    private static final int MOST_BYTES = 1 << 20;

    private int[] fields = new int[FIELDS];
    private int size;

    /** Adds messages behind those before; those of one partition that follow each other become one run. */
    void add(int topicId, int partition, int count, int bytes) {
        int last = FIELDS * (size - 1);
        if (size > 0
                && fields[last] == topicId
                && fields[last + 1] == partition
                && (long) fields[last + 3] + bytes <= MOST_BYTES) {
            fields[last + 2] += count;
            fields[last + 3] += bytes;
            return;
        }
        int at = FIELDS * size;
        if (at == fields.length) {
            fields = Arrays.copyOf(fields, 2 * at);
        }
        fields[at] = topicId;
        fields[at + 1] = partition;
        fields[at + 2] = count;
        fields[at + 3] = bytes;
        size++;
    }

    int size() {
        return size;
    }

    int topicId(int run) {
        return fields[FIELDS * run];
    }

    int partition(int run) {
        return fields[FIELDS * run + 1];
    }

    int count(int run) {
        return fields[FIELDS * run + 2];
    }

    int bytes(int run) {
        return fields[FIELDS * run + 3];
    }

    /** Number of all messages. */
    int totalCount() {
        int total = 0;
        for (int i = 0; i < size; i++) {
            total += count(i);
        }
        return total;
    }

    void write(DataOutputStream out) throws IOException {
        out.writeInt(size);
        for (int i = 0; i < FIELDS * size; i++) {
            out.writeInt(fields[i]);
        }
    }

    void read(DataInputStream in) throws IOException {
        size = in.readInt();
        fields = new int[FIELDS * Math.max(1, size)];
        for (int i = 0; i < FIELDS * size; i++) {
            fields[i] = in.readInt();
        }
    }
}
