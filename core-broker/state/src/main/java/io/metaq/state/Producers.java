package io.metaq.state;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of idempotent producers: of each its last {@value #WINDOW} batches and where they went, so that a
 * resend after a lost answer gets the first answer instead of a second copy. Writer thread only.
 */
final class Producers {
    /** Batches remembered per producer; clients keep fewer than this in flight (PROTOCOL.md, append). */
    static final int WINDOW = 128;

    /** In place of a partition: a step of a transaction, with its number for the id and what became of it for the offset. */
    static final int ENLISTED = -2;

    /** Where a batch went. */
    record Stored(long sequence, int count, long firstId, int partition, long offset) {}

    private static final class Producer {
        private Stored[] window = new Stored[4];
        private int size;
        private int oldest;
        private long lastSequence = -1;
        private long lastSeenMs;

        void add(Stored stored) {
            if (size == window.length && size < WINDOW) {
                grow();
            }
            if (size == window.length) {
                window[oldest] = stored;
                oldest = (oldest + 1) % window.length;
            } else {
                window[(oldest + size++) % window.length] = stored;
            }
            lastSequence = Math.max(lastSequence, stored.sequence() + stored.count() - 1);
        }

        private void grow() {
            Stored[] larger = new Stored[Math.min(WINDOW, window.length * 2)];
            for (int i = 0; i < size; i++) {
                larger[i] = window[(oldest + i) % window.length];
            }
            window = larger;
            oldest = 0;
        }

        @Nullable
        Stored find(long sequence, int count) {
            // Newest first: a resend is of what was in flight just now.
            for (int i = size - 1; i >= 0; i--) {
                Stored stored = window[(oldest + i) % window.length];
                if (stored.sequence() == sequence && stored.count() == count) {
                    return stored;
                }
            }
            return null;
        }
    }

    private final Map<Long, Producer> producers = new HashMap<>();

    /** Whether the sequence lies before what this producer has sent already. */
    boolean isOld(long producerId, long sequence) {
        Producer producer = producers.get(producerId);
        return producer != null && sequence <= producer.lastSequence;
    }

    /** Where this very batch went, or null if that is not remembered. */
    @Nullable
    Stored find(long producerId, long sequence, int count) {
        Producer producer = producers.get(producerId);
        return producer == null ? null : producer.find(sequence, count);
    }

    void stored(long producerId, Stored stored, long nowMs) {
        Producer producer = producers.computeIfAbsent(producerId, id -> new Producer());
        producer.add(stored);
        producer.lastSeenMs = nowMs;
    }

    void expire(long beforeMs) {
        for (Iterator<Producer> all = producers.values().iterator(); all.hasNext(); ) {
            if (all.next().lastSeenMs < beforeMs) {
                all.remove();
            }
        }
    }

    int size() {
        return producers.size();
    }

    void write(DataOutputStream out) throws IOException {
        out.writeInt(producers.size());
        for (Map.Entry<Long, Producer> entry : new TreeMap<>(producers).entrySet()) {
            Producer producer = entry.getValue();
            out.writeLong(entry.getKey());
            out.writeLong(producer.lastSeenMs);
            out.writeInt(producer.size);
            for (int i = 0; i < producer.size; i++) {
                Stored stored = producer.window[(producer.oldest + i) % producer.window.length];
                out.writeLong(stored.sequence());
                out.writeInt(stored.count());
                out.writeLong(stored.firstId());
                out.writeInt(stored.partition());
                out.writeLong(stored.offset());
            }
        }
    }

    void read(DataInputStream in) throws IOException {
        for (int left = in.readInt(); left > 0; left--) {
            Producer producer = new Producer();
            producers.put(in.readLong(), producer);
            producer.lastSeenMs = in.readLong();
            for (int batches = in.readInt(); batches > 0; batches--) {
                producer.add(new Stored(in.readLong(), in.readInt(), in.readLong(), in.readInt(), in.readLong()));
            }
        }
    }
}
