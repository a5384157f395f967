package io.metaq.log.partition;

import io.metaq.log.file.Storage;
import io.metaq.log.file.StorageFile;
import io.metaq.log.file.StorageFullException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The segments of one partition log that were written to since they were last synced. */
final class UnsyncedSegments {

    private final OpenFiles files;
    private final Path directory;
    private final Set<PartitionSegment> segments = new LinkedHashSet<>(2);
    private @Nullable PartitionSegment newest;
    private boolean directoryExists;
    private boolean namesChanged;

    UnsyncedSegments(OpenFiles files, Path directory) {
        this.files = files;
        this.directory = directory;
    }

    /** Called before a segment is written to; makes the directory for the first one. */
    synchronized void add(PartitionSegment segment) throws IOException {
        if (segment != newest) {
            if (!directoryExists) {
                files.storage().createDirectories(directory);
                directoryExists = true;
            }
            newest = segment;
            namesChanged = true;
        }
        segments.add(segment);
    }

    synchronized void remove(PartitionSegment segment) {
        segments.remove(segment);
    }

    /** What is added while this runs may be left for the next time. */
    void sync() throws IOException {
        List<PartitionSegment> now;
        boolean names;
        synchronized (this) {
            now = List.copyOf(segments);
            segments.clear();
            names = namesChanged;
            namesChanged = false;
        }
        try {
            for (PartitionSegment segment : now) {
                sync(segment);
            }
            if (names) {
                syncNames();
            }
        } catch (StorageFullException e) {
            // Of an index: the next call has to do all of it, or segments would count as durable that are not.
            synchronized (this) {
                segments.addAll(now);
                namesChanged |= names;
            }
            throw e;
        }
    }

    private void sync(PartitionSegment segment) throws IOException {
        StorageFile file = files.acquireForWriting(segment.file());
        if (file == null) {
            return; // trimmed meanwhile
        }
        try {
            file.sync();
            segment.index().sync(); // before the release, after which a trimmed segment's files go
        } finally {
            files.release(segment.file());
        }
    }

    /** The partition's directory and the two above it may be new, too. */
    private void syncNames() throws IOException {
        Storage storage = files.storage();
        Path at = directory;
        for (int i = 0; i < 3 && at != null; i++) {
            storage.syncDirectory(at);
            at = at.getParent();
        }
    }
}
