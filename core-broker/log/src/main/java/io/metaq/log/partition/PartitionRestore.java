package io.metaq.log.partition;

import io.metaq.log.file.Storage;
import io.metaq.log.file.StorageFile;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Brings the files of a partition log to what a checkpoint says. */
final class PartitionRestore {

    private static final Logger LOG = System.getLogger(PartitionRestore.class.getName());

    private final Path directory;
    private final OpenFiles files;
    private final Storage storage;

    PartitionRestore(Path directory, OpenFiles files) {
        this.directory = directory;
        this.files = files;
        this.storage = files.storage();
    }

    record Result(SegmentList segments, DamagedRanges damaged, long startOffset) {}

    static PartitionLog open(Path directory, PartitionLogConfig config, OpenFiles files) throws IOException {
        Storage storage = files.storage();
        SegmentList segments = SegmentList.EMPTY;
        DamagedRanges damaged = DamagedRanges.NONE;
        long end = 0;
        for (Path path : storage.list(directory)) {
            long base = PartitionSegment.baseOf(path);
            if (base >= 0) {
                segments = segments.with(PartitionSegment.existing(storage, directory, base));
                end = base + storage.size(path);
            } else if (path.endsWith(DamagedRanges.FILE_NAME)) {
                damaged = DamagedRanges.read(storage, directory);
            }
        }
        return new PartitionLog(directory, config, files, segments, damaged, end);
    }

    Result restore(SegmentList found, DamagedRanges known, PartitionSnapshot snapshot) throws IOException {
        long end = snapshot.endOffset();
        int from = 0;
        int to = found.size();
        while (to > 0 && found.get(to - 1).base() >= end) {
            to--; // newest first: a crash on the way leaves no gap
            drop(found.get(to));
        }
        while (from + 1 < to && found.get(from + 1).base() <= snapshot.startOffset()) {
            drop(found.get(from));
            from++;
        }
        SegmentList kept = found.slice(from, to);
        DamagedRanges damaged = known.within(0, end);
        for (int i = 0; i < kept.size(); i++) {
            damaged = fit(kept.get(i), kept.endOf(i, end), damaged);
        }
        PartitionSegment last = kept.last();
        if (last != null) {
            last.index().cut(end);
        }
        long start = kept.size() == 0 ? end : kept.get(0).base();
        return new Result(kept, damaged, start);
    }

    /** Cuts a segment file that is too long; what one that is too short lacks is damage. */
    private DamagedRanges fit(PartitionSegment segment, long segmentEnd, DamagedRanges damaged) throws IOException {
        Path path = segment.file().path;
        long length = segmentEnd - segment.base();
        long size = storage.size(path);
        if (size > length) {
            try (StorageFile file = storage.open(path, StandardOpenOption.WRITE)) {
                file.truncate(length);
            }
        } else if (size < length) {
            DamagedRange missing = new DamagedRange(segment.base() + size, segmentEnd);
            DamagedRanges with = damaged.with(missing);
            LOG.log(
                    Level.ERROR,
                    "{0} ends at byte {1}, the checkpoint has {2}: offsets {3} to {4} are lost, the rest is served",
                    path,
                    size,
                    length,
                    missing.from(),
                    missing.to());
            with.write(storage, directory);
            return with;
        }
        return damaged;
    }

    private void drop(PartitionSegment segment) throws IOException {
        files.closeIfIdle(segment.file());
        storage.delete(segment.file().path);
        storage.delete(segment.index().path());
    }
}
