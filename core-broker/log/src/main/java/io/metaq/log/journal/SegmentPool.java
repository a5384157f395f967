package io.metaq.log.journal;

import io.metaq.log.file.Storage;
import io.metaq.log.file.StorageFile;
import io.metaq.log.file.StorageFullException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Segment files that wait to be used: old ones whose records are in a checkpoint, and one spare that is prepared ahead
 * by a thread of its own. While no spare can be had because the disk is full, the segment in use is kept for essential
 * records; see {@link #full()}.
 */
final class SegmentPool implements AutoCloseable {

    private static final Logger LOG = System.getLogger(SegmentPool.class.getName());
    private static final long RETRY_MS = 500;

    /** A spare that stays unused this long is synced, so that later syncs find its blocks allocated on the disk. */
    private static final long SYNC_SPARE_AFTER_MS = 1000;

    private final JournalConfig config;
    private final Storage storage;
    private final FatalErrorListener listener;
    private final ArrayDeque<Path> free = new ArrayDeque<>();
    private final Thread preparer = new Thread(this::prepareSpares, "journal-preparer");
    private @Nullable Path unsyncedSpare;
    private long nextNumber;
    private boolean closed;
    private volatile boolean full;

    SegmentPool(JournalConfig config, Storage storage, FatalErrorListener listener) {
        this.config = config;
        this.storage = storage;
        this.listener = listener;
    }

    /** Finds the free segments of an earlier run. */
    synchronized void open() throws IOException {
        for (Path path : storage.list(config.directory())) {
            String name = path.getFileName().toString();
            if (name.endsWith(".preparing")) {
                storage.delete(path);
            } else if (SegmentFormat.isFreeName(name)) {
                if (storage.size(path) == config.segmentBytes() && free.size() < config.maxFreeSegments()) {
                    free.add(path);
                } else {
                    storage.delete(path);
                }
            }
        }
        nextNumber = free.size();
    }

    void start() {
        preparer.setDaemon(true);
        preparer.start();
    }

    /** True while the disk has no room for another segment. */
    boolean full() {
        return full;
    }

    /** A segment file to use next; waits for one being prepared. Null when the disk is full, or the preparer gave up. */
    synchronized @Nullable Path take() throws InterruptedException {
        while (free.isEmpty() && !full && !closed) {
            wait();
        }
        Path taken = free.pollLast(); // the one used last: its pages are the likeliest to be in the cache still
        notifyAll();
        return taken;
    }

    /** Prepares a segment file in the calling thread, unless there is one. */
    synchronized Path prepareNow() throws IOException {
        Path taken = free.poll();
        return taken != null ? taken : prepare(nextFreeName());
    }

    /** Takes in the file of a segment that is no longer needed. */
    synchronized void recycle(Segment segment) throws IOException {
        segment.close();
        if (free.size() >= config.maxFreeSegments() || segment.segmentBytes() != config.segmentBytes()) {
            storage.delete(segment.path());
            return;
        }
        Path name = nextFreeName();
        storage.rename(segment.path(), name);
        free.add(name);
        full = false;
        notifyAll();
    }

    synchronized void release(int keep) throws IOException {
        while (free.size() > keep) {
            Path path = free.removeFirst();
            if (path.equals(unsyncedSpare)) {
                unsyncedSpare = null;
            }
            storage.delete(path);
        }
    }

    private synchronized Path nextFreeName() {
        Path name;
        do {
            name = config.directory().resolve(SegmentFormat.freeName(nextNumber++));
        } while (storage.exists(name));
        return name;
    }

    private void prepareSpares() {
        try {
            while (awaitNeed()) {
                prepareSpare();
            }
        } catch (IOException | RuntimeException e) {
            LOG.log(Level.ERROR, "cannot prepare journal segments", e);
            listener.journalFailed(e);
            synchronized (this) {
                closed = true; // whoever waits for a spare is let go
                notifyAll();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until a spare is missing; false at the end. */
    private synchronized boolean awaitNeed() throws InterruptedException, IOException {
        while (!closed) {
            if (free.isEmpty()) {
                if (full) {
                    wait(RETRY_MS);
                }
                if (free.isEmpty()) {
                    return !closed;
                }
                continue;
            }
            Path spare = unsyncedSpare;
            wait(spare == null ? 0 : SYNC_SPARE_AFTER_MS);
            if (spare != null && spare.equals(unsyncedSpare)) {
                unsyncedSpare = null;
                if (free.contains(spare)) {
                    syncFile(spare);
                }
            }
        }
        return false;
    }

    private void prepareSpare() throws IOException {
        try {
            Path spare = prepare(nextFreeName());
            synchronized (this) {
                free.add(spare);
                unsyncedSpare = spare;
                if (full) {
                    LOG.log(Level.INFO, "the disk has room again for journal segments in {0}", config.directory());
                }
                full = false;
                notifyAll();
            }
        } catch (StorageFullException e) {
            synchronized (this) {
                if (!full) {
                    LOG.log(
                            Level.WARNING,
                            "no room for another journal segment, only essential records are taken: {0}",
                            e.getMessage());
                }
                full = free.isEmpty();
                notifyAll();
            }
        }
    }

    /** Writes zeros over the whole length, under a name that does not count as a free segment until it is complete. */
    private Path prepare(Path name) throws IOException {
        long usable = storage.usableSpace(config.directory());
        if (usable < config.segmentBytes() + config.segmentBytes() / 8L) {
            // asked first: filling the disk only to find it full would take the room from the partition logs
            throw new StorageFullException(
                    config.directory() + ": " + usable + " bytes left, a journal segment has " + config.segmentBytes());
        }
        Path temporary = name.resolveSibling(name.getFileName() + ".preparing");
        try (StorageFile file = storage.open(temporary, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            ByteBuffer zeros = ByteBuffer.allocateDirect(Math.min(1 << 20, config.segmentBytes()));
            for (long at = 0; at < config.segmentBytes(); at += zeros.capacity()) {
                zeros.clear().limit((int) Math.min(zeros.capacity(), config.segmentBytes() - at));
                file.write(zeros, at);
            }
        } catch (StorageFullException e) {
            storage.delete(temporary);
            throw e;
        }
        storage.rename(temporary, name);
        return name;
    }

    private void syncFile(Path path) throws IOException {
        try (StorageFile file = storage.open(path, StandardOpenOption.WRITE)) {
            file.sync();
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        BackgroundFlush.joinUnlessSelf(preparer); // a segment being written is finished first, no more than that
    }
}
