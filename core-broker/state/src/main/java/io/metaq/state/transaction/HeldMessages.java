package io.metaq.state.transaction;

import io.metaq.log.partition.PartitionSnapshot;
import io.metaq.state.Partition;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a transaction until it ends: in the heap while they are few, else in a log of their own. Whether that is so
 * follows from the records alone. Writer thread.
 */
final class HeldMessages {
    private final Ledger ledger;
    private final HeapBudget budget;
    private final long id;
    private volatile NeededChunks chunks = new NeededChunks();
    private HeldRuns runs = new HeldRuns();
    private byte[] heap = {};
    private int used;
    private @Nullable Partition staging;

    HeldMessages(Ledger ledger, HeapBudget budget, long id) {
        this.ledger = ledger;
        this.budget = budget;
        this.id = id;
    }

    /** Adds messages behind those before; they may be changed when the batch has ended. */
    void add(int topicId, int partition, int count, ByteBuffer messages, long timestampMs) throws IOException {
        int bytes = messages.remaining();
        if (staging == null && !budget.has(used, bytes)) {
            moveToFile(timestampMs);
        }
        runs.add(topicId, partition, count, bytes);
        ledger.forEachLarge(messages, chunks::need);
        if (staging != null) {
            ledger.stage(staging, messages.duplicate(), count, timestampMs);
            return;
        }
        if (used + bytes > heap.length) {
            heap = Arrays.copyOf(heap, Math.max(used + bytes, 2 * heap.length));
        }
        messages.duplicate().get(heap, used, bytes);
        used += bytes;
        budget.take(bytes);
    }

    private void moveToFile(long timestampMs) throws IOException {
        Partition begun = ledger.openStaging(id);
        // Files that are there already are of a life that the journal has forgotten, or brings again.
        begun.files().restore(PartitionSnapshot.EMPTY);
        staging = begun;
        if (used > 0) {
            ledger.stage(begun, ByteBuffer.wrap(heap, 0, used), runs.totalCount(), timestampMs);
        }
        freeHeap();
    }

    private void freeHeap() {
        budget.free(used);
        heap = new byte[0];
        used = 0;
    }

    boolean isEmpty() {
        return runs.size() == 0;
    }

    /** Puts all of them where they are meant to be, in their order; those in a log are copied by {@code large}. */
    void putAll(long timestampMs, LargeCommits large) throws IOException {
        Partition had = staging;
        if (had != null) {
            LargeCommit commit = new LargeCommit(ledger, id, had, runs, chunks, timestampMs);
            staging = null;
            runs = new HeldRuns();
            large.begin(commit, had.log().stagedEndOffset());
            chunks = new NeededChunks();
            return;
        }
        int at = 0;
        for (int run = 0; run < runs.size(); run++) {
            ByteBuffer messages =
                    ByteBuffer.wrap(heap).limit(at + runs.bytes(run)).position(at);
            ledger.put(runs.topicId(run), runs.partition(run), messages, runs.count(run), timestampMs);
            at += runs.bytes(run);
        }
    }

    NeededChunks chunks() {
        return chunks;
    }

    HeldRuns runs() {
        return runs;
    }

    /** The transaction has ended. */
    void letGo() throws IOException {
        runs = new HeldRuns();
        chunks.clear();
        freeHeap();
        Partition had = staging;
        if (had != null) {
            staging = null;
            ledger.dropStaging(id, had);
        }
    }

    void close() throws IOException {
        if (staging != null) {
            staging.log().close();
        }
    }

    void write(DataOutputStream out) throws IOException {
        runs.write(out);
        chunks.write(out);
        out.writeBoolean(staging != null);
        if (staging == null) {
            out.writeInt(used);
            out.write(heap, 0, used);
        } else {
            PartitionSnapshot snapshot = staging.files().snapshot();
            ByteBuffer bytes = ByteBuffer.allocate(PartitionSnapshot.BYTES);
            snapshot.writeTo(bytes);
            out.write(bytes.array());
        }
    }

    void read(DataInputStream in) throws IOException {
        runs.read(in);
        chunks.read(in);
        if (in.readBoolean()) {
            byte[] snapshot = new byte[PartitionSnapshot.BYTES];
            in.readFully(snapshot);
            Partition opened = ledger.openStaging(id);
            opened.files().restore(PartitionSnapshot.readFrom(ByteBuffer.wrap(snapshot)));
            staging = opened;
        } else {
            used = in.readInt();
            heap = new byte[used];
            in.readFully(heap);
            budget.take(used);
        }
    }
}
