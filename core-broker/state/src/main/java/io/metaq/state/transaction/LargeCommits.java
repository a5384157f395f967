package io.metaq.state.transaction;

import io.metaq.log.file.StorageFullException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Large transactions that are committed and not readable yet: they are copied a slice at a time, so that nobody else waits for all
 * of it. Those that overlap in time become readable together, when the last of them is copied. Writer thread.
 */
final class LargeCommits {
    /** When so much has been committed with no pause the rest is copied at once: others do not wait for ever to be readable. */
    private static final long MOST_BYTES_TOGETHER = 2L << 30;

    private final Ledger ledger;
    private final int sliceBytes;
    private final Queue<LargeCommit> underWay = new ConcurrentLinkedQueue<>();
    private final List<Runnable> waiting = new ArrayList<>();
    private boolean live;
    private long begun;
    private long bytesTogether;

    LargeCommits(Ledger ledger, int sliceBytes) {
        this.ledger = ledger;
        this.sliceBytes = sliceBytes;
    }

    /** From now on there is somebody who must not be kept waiting; before that each is copied at once. */
    void live() {
        live = true;
    }

    /** Takes over a transaction whose messages have their places. */
    void begin(LargeCommit commit, long bytes) {
        underWay.add(commit);
        begun++;
        bytesTogether += bytes;
    }

    /** The record that committed has taken effect in all it does. */
    void recordEnded() throws IOException {
        if (!live || bytesTogether > MOST_BYTES_TOGETHER) {
            finish();
        }
    }

    /** How many there were. */
    long begun() {
        return begun;
    }

    /** Any thread. */
    boolean isEmpty() {
        return underWay.isEmpty();
    }

    /** Copies a slice. @return whether there is more that can be copied now */
    boolean proceed() throws IOException {
        LargeCommit first = underWay.peek();
        if (first == null || ledger.full()) {
            return false;
        }
        try {
            boolean copied = first.copy(sliceBytes);
            ledger.write();
            if (copied) {
                underWay.remove();
            }
        } catch (StorageFullException e) {
            // Its messages stay where they are, and the ledger is full until there is room.
            release();
            return false;
        }
        if (underWay.isEmpty()) {
            bytesTogether = 0;
            ledger.show();
            release();
        } else if (ledger.full()) {
            release();
        }
        return !underWay.isEmpty() && !ledger.full();
    }

    /** Copies all of them, or as much as there is room for. */
    void finish() throws IOException {
        boolean more = true;
        while (more) {
            more = proceed();
        }
    }

    /** Runs it once all of them are readable, or are known to have to wait for room on the disk: they are committed in any case. */
    void whenReadable(Runnable action) {
        if (underWay.isEmpty() || ledger.full()) {
            action.run();
        } else {
            waiting.add(action);
        }
    }

    private void release() {
        List<Runnable> released = List.copyOf(waiting);
        waiting.clear();
        released.forEach(Runnable::run);
    }

    /** From where on chunks of a companion topic's partition are needed; {@link Long#MAX_VALUE} when none are. Any thread. */
    long chunkFloor(String companion, int partition) {
        long lowest = Long.MAX_VALUE;
        for (LargeCommit commit : underWay) {
            lowest = Math.min(lowest, commit.chunks().floor(companion, partition));
        }
        return lowest;
    }
}
