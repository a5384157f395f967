package io.metaq.log.journal;

import io.metaq.log.file.Storage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Knows how far the journal is durable, and syncs what is not: for the writer when a record asks for it, in the
 * background for all others.
 *
 * <p>One sync at a time. The system reports a failed write-back to one caller only, so with two at once the one that is
 * told "done" could answer for bytes that the other was told are lost.
 */
final class Flusher {

    private final Storage storage;
    private final Path directory;
    private final ReentrantLock syncing = new ReentrantLock();

    /** Segments with bytes that may not be durable, oldest first; the last one is being written. */
    private final List<Segment> unsynced = new ArrayList<>();

    private boolean namesChanged;
    private long written;
    private volatile long durable;
    private volatile @Nullable IOException failure;

    Flusher(Storage storage, Path directory) {
        this.storage = storage;
        this.directory = directory;
    }

    /** Recovery is done: all records before {@code end} are durable and the next one goes into {@code current}. */
    synchronized void begin(Segment current, long end) {
        unsynced.clear();
        unsynced.add(current);
        written = end;
        durable = end;
    }

    /** From now on the writer writes to this segment. */
    synchronized void rolled(Segment next) {
        unsynced.add(next);
        namesChanged = true;
    }

    synchronized void written(long end) {
        written = end;
    }

    synchronized long written() {
        return written;
    }

    long durable() {
        return durable;
    }

    /** The error that a sync ended with; the journal is of no more use then. */
    @Nullable
    IOException failure() {
        return failure;
    }

    /** Makes all records durable that were written before the call. */
    void sync() throws IOException {
        long end = written();
        if (durable >= end) {
            check();
            return;
        }
        syncing.lock();
        try {
            check();
            if (durable < end) {
                syncAll();
            }
        } catch (IOException e) {
            failure = e; // never tried again: the pages that could not be written count as clean now
            throw e;
        } finally {
            syncing.unlock();
        }
    }

    private void check() throws IOException {
        IOException failed = failure;
        if (failed != null) {
            throw new IOException("an earlier sync of the journal failed: " + failed.getMessage(), failed);
        }
    }

    /**
     * Oldest first, and names before bytes: whatever becomes durable on the way is behind the position that later
     * records call durable.
     */
    private void syncAll() throws IOException {
        List<Segment> segments;
        boolean names;
        long end;
        synchronized (this) {
            segments = List.copyOf(unsynced);
            names = namesChanged;
            namesChanged = false;
            end = written;
        }
        if (names) {
            storage.syncDirectory(directory);
        }
        for (Segment segment : segments) {
            segment.file().sync();
        }
        List<Segment> complete = segments.subList(0, segments.size() - 1);
        synchronized (this) {
            unsynced.removeAll(complete);
            durable = end;
        }
        for (Segment segment : complete) {
            segment.close();
        }
    }
}
