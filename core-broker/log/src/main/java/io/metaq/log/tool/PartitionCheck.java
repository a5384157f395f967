package io.metaq.log.tool;

import io.metaq.log.file.Storage;
import io.metaq.log.partition.DamagedRange;
import io.metaq.log.partition.MessageScan;
import io.metaq.log.partition.OpenFiles;
import io.metaq.log.partition.PartitionLog;
import io.metaq.log.partition.PartitionLogConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads every message of one partition of a broker that is down. */
final class PartitionCheck {

    private final Storage storage;
    private final Path directory;

    PartitionCheck(Storage storage, Path directory) {
        this.storage = storage;
        this.directory = directory;
    }

    /**
     * A range of one segment file that is no good messages, as offsets of the partition.
     *
     * @param tail true at the very end of the partition, where a broker that was killed leaves an incomplete message; the
     *     journal brings it again
     */
    record Bad(Path file, long base, DamagedRange range, boolean tail) {

        Finding finding() {
            String what = tail
                    ? "an incomplete message at the end, which the next start cuts off and takes from the journal"
                    : "damaged messages, offsets " + range.from() + " to " + range.to();
            return new Finding(file, range.from() - base, range.length(), what);
        }
    }

    List<Bad> check() throws IOException {
        List<Path> segments = storage.list(directory).stream()
                .filter(path -> String.valueOf(path.getFileName()).matches("[0-9]{20}\\.log"))
                .toList();
        List<Bad> bad = new ArrayList<>();
        for (Path segment : segments) {
            boolean last = segment.equals(segments.get(segments.size() - 1));
            bad.addAll(check(segment, last));
        }
        return bad;
    }

    private List<Bad> check(Path segment, boolean last) throws IOException {
        long base = Long.parseLong(String.valueOf(segment.getFileName()).substring(0, 20));
        long size = storage.size(segment);
        List<Bad> bad = new ArrayList<>();
        for (DamagedRange range : MessageScan.check(storage, segment, size, (position, id, flag, body) -> {})) {
            boolean tail = last && range.to() == size;
            bad.add(new Bad(segment, base, new DamagedRange(base + range.from(), base + range.to()), tail));
        }
        return bad;
    }

    /** Ranges that were set aside before. */
    List<DamagedRange> known() throws IOException {
        try (OpenFiles files = new OpenFiles(storage, 1)) {
            return open(files).damagedRanges();
        }
    }

    /** Sets a range aside; returns the copy. */
    Path setAside(DamagedRange range, Path attic) throws IOException {
        try (OpenFiles files = new OpenFiles(storage, 1)) {
            return open(files).setAside(range, attic);
        }
    }

    private PartitionLog open(OpenFiles files) throws IOException {
        return PartitionLog.open(directory, PartitionLogConfig.ofSegmentBytes(Long.MAX_VALUE), files);
    }
}
