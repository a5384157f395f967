package io.metaq.log.partition;

import io.metaq.log.file.Storage;
import java.nio.file.Path;

/**
 * One segment of a partition log.
 *
 * @param base partition offset of its first byte, which is the file's byte 0
 * @param file the messages
 * @param index when they were appended
 */
record PartitionSegment(long base, SegmentFile file, TimeIndex index) {

    static final String LOG_SUFFIX = ".log";
    static final String TIME_SUFFIX = ".time";

    private static final int DIGITS = 20;

    static PartitionSegment existing(Storage storage, Path directory, long base) {
        return new PartitionSegment(
                base, logFile(directory, base), new TimeIndex(storage, named(directory, base, TIME_SUFFIX)));
    }

    /** A segment that has no file yet; one that is left over under this name is written over. */
    static PartitionSegment begin(Storage storage, Path directory, long base) {
        return new PartitionSegment(
                base, logFile(directory, base), TimeIndex.fresh(storage, named(directory, base, TIME_SUFFIX)));
    }

    private static SegmentFile logFile(Path directory, long base) {
        return new SegmentFile(named(directory, base, LOG_SUFFIX));
    }

    static Path named(Path directory, long base, String suffix) {
        return directory.resolve(String.format("%0" + DIGITS + "d%s", base, suffix));
    }

    /** The first offset that a file name tells, -1 when it is not a segment of messages. */
    static long baseOf(Path path) {
        String name = String.valueOf(path.getFileName());
        if (name.length() != DIGITS + LOG_SUFFIX.length() || !name.endsWith(LOG_SUFFIX)) {
            return -1;
        }
        String digits = name.substring(0, DIGITS);
        return digits.chars().allMatch(c -> c >= '0' && c <= '9') ? Long.parseLong(digits) : -1;
    }
}
