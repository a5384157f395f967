package io.metaq.log.partition;

import io.metaq.log.file.Storage;
import io.metaq.log.file.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ranges of a partition log that were set aside, sorted, never overlapping. Kept in the file {@code damaged} of the
 * partition's directory, one {@code from to} per line, so that a restart goes on serving the rest.
 */
final class DamagedRanges {

    static final String FILE_NAME = "damaged";

    static final DamagedRanges NONE = new DamagedRanges(List.of());

    private final List<DamagedRange> ranges;

    private DamagedRanges(List<DamagedRange> ranges) {
        this.ranges = ranges;
    }

    List<DamagedRange> all() {
        return ranges;
    }

    /** The first range that ends behind this offset: the one that holds it, or the next. */
    @Nullable
    DamagedRange atOrAfter(long offset) {
        for (DamagedRange range : ranges) {
            if (range.to() > offset) {
                return range;
            }
        }
        return null;
    }

    boolean covers(DamagedRange range) {
        return ranges.stream().anyMatch(known -> known.from() <= range.from() && known.to() >= range.to());
    }

    DamagedRanges with(DamagedRange added) {
        List<DamagedRange> sorted = new ArrayList<>(ranges);
        sorted.add(added);
        sorted.sort(Comparator.comparingLong(DamagedRange::from));
        List<DamagedRange> merged = new ArrayList<>();
        for (DamagedRange range : sorted) {
            DamagedRange last = merged.isEmpty() ? null : merged.get(merged.size() - 1);
            if (last != null && range.from() <= last.to()) {
                merged.set(merged.size() - 1, new DamagedRange(last.from(), Math.max(last.to(), range.to())));
            } else {
                merged.add(range);
            }
        }
        return new DamagedRanges(List.copyOf(merged));
    }

    /** What of them lies inside these offsets. */
    DamagedRanges within(long from, long to) {
        if (ranges.isEmpty()) {
            return this;
        }
        List<DamagedRange> kept = new ArrayList<>();
        for (DamagedRange range : ranges) {
            long start = Math.max(from, range.from());
            long end = Math.min(to, range.to());
            if (start < end) {
                kept.add(new DamagedRange(start, end));
            }
        }
        return new DamagedRanges(List.copyOf(kept));
    }

    static DamagedRanges read(Storage storage, Path directory) throws IOException {
        Path file = directory.resolve(FILE_NAME);
        ByteBuffer bytes = ByteBuffer.allocate((int) storage.size(file));
        try (StorageFile in = storage.open(file, StandardOpenOption.READ)) {
            in.readFully(bytes, 0);
        }
        DamagedRanges ranges = NONE;
        String text = new String(bytes.array(), StandardCharsets.US_ASCII);
        for (String line : text.lines().toList()) {
            int space = line.indexOf(' ');
            ranges = ranges.with(new DamagedRange(
                    Long.parseLong(line.substring(0, space)), Long.parseLong(line.substring(space + 1))));
        }
        return ranges;
    }

    /** Replaces the file in one step; durable on return. */
    void write(Storage storage, Path directory) throws IOException {
        StringBuilder text = new StringBuilder();
        for (DamagedRange range : ranges) {
            text.append(range.from()).append(' ').append(range.to()).append('\n');
        }
        Path temporary = directory.resolve(FILE_NAME + ".new");
        try (StorageFile out = storage.open(
                temporary, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            out.write(ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.US_ASCII)), 0);
            out.sync();
        }
        storage.rename(temporary, directory.resolve(FILE_NAME));
        storage.syncDirectory(directory);
    }
}
