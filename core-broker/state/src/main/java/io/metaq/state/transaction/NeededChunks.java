package io.metaq.state.transaction;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * From where on chunks of large payloads are needed by messages that wait in a transaction: those that are in the log keep
 * their chunks themselves. Any thread.
 */
final class NeededChunks {
    private record Place(String companion, int partition) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            int byName = companion.compareTo(other.companion);
            return byName != 0 ? byName : Integer.compare(partition, other.partition);
        }
    }

    private final Map<Place, Long> first = new TreeMap<>();

    synchronized void need(String companion, int partition, long firstChunk) {
        first.merge(new Place(companion, partition), firstChunk, Math::min);
    }

    /** {@link Long#MAX_VALUE} when none are needed. */
    synchronized long floor(String companion, int partition) {
        return first.isEmpty() ? Long.MAX_VALUE : first.getOrDefault(new Place(companion, partition), Long.MAX_VALUE);
    }

    synchronized void clear() {
        first.clear();
    }

    synchronized void write(DataOutputStream out) throws IOException {
        out.writeInt(first.size());
        for (Map.Entry<Place, Long> entry : first.entrySet()) {
            Texts.write(out, entry.getKey().companion());
            out.writeInt(entry.getKey().partition());
            out.writeLong(entry.getValue());
        }
    }

    void read(DataInputStream in) throws IOException {
        for (int left = in.readInt(); left > 0; left--) {
            need(Texts.read(in), in.readInt(), in.readLong());
        }
    }
}
