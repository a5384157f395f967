package io.metaq.log.partition;

import io.metaq.log.file.Storage;
import io.metaq.log.file.StorageFile;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The open segment files of all partitions of a broker. Beyond a limit the ones used longest ago are closed; files in
 * use stay open whatever the limit. A segment that was taken out is deleted or archived after its last use.
 */
public final class OpenFiles implements AutoCloseable {

    public static final int DEFAULT_LIMIT = 2_000;

    private static final Logger LOG = System.getLogger(OpenFiles.class.getName());

    private final Storage storage;
    private final int limit;

    /** The open ones, the one used longest ago first. */
    private final Map<SegmentFile, SegmentFile> open = new LinkedHashMap<>(64, 0.75f, true);

    public OpenFiles(Storage storage, int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be at least 1");
        }
        this.storage = storage;
        this.limit = limit;
    }

    Storage storage() {
        return storage;
    }

    /** Number of files open now. */
    public synchronized int open() {
        return open.size();
    }

    /** Opens the file if need be, and keeps it open until {@link #release}. Null when the segment was taken out. */
    @Nullable
    StorageFile acquire(SegmentFile segment) throws IOException {
        return acquire(segment, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    /** As {@link #acquire}, but makes the file when there is none. */
    @Nullable
    StorageFile acquireForWriting(SegmentFile segment) throws IOException {
        return acquire(segment, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
    }

    private synchronized @Nullable StorageFile acquire(SegmentFile segment, StandardOpenOption... options)
            throws IOException {
        if (segment.whenUnused != null) {
            return null;
        }
        StorageFile file = segment.open;
        if (file == null) {
            file = storage.open(segment.path, options);
            segment.open = file;
        }
        segment.users++;
        open.put(segment, segment);
        closeIdle();
        return file;
    }

    void release(SegmentFile segment) {
        Runnable action = null;
        synchronized (this) {
            segment.users--;
            if (segment.users == 0 && segment.whenUnused != null) {
                action = segment.whenUnused;
                closeNow(segment);
            }
        }
        if (action != null) {
            action.run();
        }
    }

    /** No further use from now on; the action runs after the last one, at once when there is none. */
    void retire(SegmentFile segment, Runnable action) {
        synchronized (this) {
            segment.whenUnused = action;
            if (segment.users > 0) {
                return;
            }
            closeNow(segment);
        }
        action.run();
    }

    synchronized void closeIfIdle(SegmentFile segment) {
        if (segment.users == 0) {
            closeNow(segment);
        }
    }

    private void closeIdle() {
        Iterator<SegmentFile> eldestFirst = open.keySet().iterator();
        while (open.size() > limit && eldestFirst.hasNext()) {
            SegmentFile eldest = eldestFirst.next();
            if (eldest.users == 0) {
                eldestFirst.remove();
                closeNow(eldest);
            }
        }
    }

    private void closeNow(SegmentFile segment) {
        open.remove(segment);
        StorageFile file = segment.open;
        segment.open = null;
        try {
            if (file != null) {
                file.close();
            }
        } catch (IOException e) {
            LOG.log(Level.WARNING, "closing " + segment.path, e);
        }
    }

    /** Closes all files, those in use too. */
    @Override
    public synchronized void close() {
        for (SegmentFile segment : open.keySet().toArray(new SegmentFile[0])) {
            closeNow(segment);
        }
    }
}
