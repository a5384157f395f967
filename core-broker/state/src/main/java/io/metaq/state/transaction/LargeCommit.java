package io.metaq.state.transaction;

import io.metaq.state.Partition;
import io.metaq.state.transaction.Ledger.Place;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A committed transaction whose messages are being copied from its own log into the partitions, where they have their places
 * already. Writer thread.
 */
final class LargeCommit {
    private final Ledger ledger;
    private final long id;
    private final Partition staging;
    private final HeldRuns runs;
    private final NeededChunks chunks;
    private final long timestampMs;

    /** By run; null where there is nothing to fill in. */
    private final @Nullable Partition[] targets;

    private final long[] offsets;
    private final long[] firstIds;
    private @Nullable StagedReader reader;
    private int run;

    /** Takes the places. */
    LargeCommit(Ledger ledger, long id, Partition staging, HeldRuns runs, NeededChunks chunks, long timestampMs)
            throws IOException {
        this.ledger = ledger;
        this.id = id;
        this.staging = staging;
        this.runs = runs;
        this.chunks = chunks;
        this.timestampMs = timestampMs;
        targets = new Partition[runs.size()];
        offsets = new long[runs.size()];
        firstIds = new long[runs.size()];
        for (int i = 0; i < runs.size(); i++) {
            Place place = ledger.reserve(runs.topicId(i), runs.partition(i), runs.count(i), runs.bytes(i), timestampMs);
            if (place != null) {
                targets[i] = place.partition();
                offsets[i] = place.offset();
                firstIds[i] = place.firstId();
            }
        }
    }

    /** Chunks of large payloads that its messages need. */
    NeededChunks chunks() {
        return chunks;
    }

    /**
     * Copies some of it; what it gives to the ledger is to be written before it is called again.
     *
     * @param bytes after so many it stops at the end of a run
     * @return whether all is copied
     * @throws io.metaq.log.file.StorageFullException when there is no room: to be called again when there is
     */
    boolean copy(int bytes) throws IOException {
        if (reader == null) {
            ledger.flush(staging); // what was staged in the same batch, or waits for room
            reader = new StagedReader(staging.log(), ledger::write);
        }
        long until = reader.at() + bytes;
        while (run < runs.size() && reader.at() < until) {
            copyRun(reader);
            run++;
        }
        if (run < runs.size()) {
            return false;
        }
        ledger.dropStaging(id, staging);
        return true;
    }

    private void copyRun(StagedReader from) throws IOException {
        long start = from.at();
        Partition target = targets[run];
        if (target == null) {
            int topicId = runs.topicId(run);
            from.read(
                    runs.bytes(run),
                    (at, messages, count) -> ledger.fillTemporary(topicId, messages, count, timestampMs));
            return;
        }
        Filler filler = new Filler(target, offsets[run] - start, firstIds[run], start);
        from.read(runs.bytes(run), filler);
        filler.lost(start + runs.bytes(run));
    }

    /** Fills the place of a run, and tells of what its log has lost. */
    private final class Filler implements StagedReader.Sink {
        private final Partition target;
        private final long shift;
        private long nextId;
        private long filledTo;

        Filler(Partition target, long shift, long firstId, long start) {
            this.target = target;
            this.shift = shift;
            this.nextId = firstId;
            this.filledTo = start;
        }

        @Override
        public void take(long at, ByteBuffer messages, int count) throws IOException {
            lost(at);
            filledTo = at + messages.remaining();
            ledger.fill(new Place(target, at + shift, nextId), messages);
            nextId += count;
        }

        void lost(long upTo) throws IOException {
            if (upTo > filledTo) {
                ledger.lose(new Place(target, filledTo + shift, nextId), upTo - filledTo);
            }
        }
    }
}
