package io.metaq.log.journal;

import io.metaq.log.file.Attic;
import io.metaq.log.file.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the journal of a broker that is down without applying or changing anything, and repairs it when told to. */
public final class JournalScan {

    /**
     * Durable records that cannot be read.
     *
     * @param file the segment in which the range begins
     * @param filePosition where in it, in bytes
     * @param from journal position
     * @param to journal position of the next good record
     * @param epoch the epoch of the record before
     */
    public record Damage(Path file, long filePosition, long from, long to, int epoch) {}

    /** Told of each good record. */
    @FunctionalInterface
    public interface Visitor {
        void record(JournalRecord record) throws IOException;
    }

    private final Storage storage;
    private final SegmentChain chain;
    private final List<Damage> damages = new ArrayList<>();
    private final List<Segment> badHeaders = new ArrayList<>();
    private long position;
    private int epoch;

    private JournalScan(Storage storage, SegmentChain chain) {
        this.storage = storage;
        this.chain = chain;
    }

    /** Reads all segments of a directory, the oldest first. */
    public static JournalScan read(Path directory, Storage storage, Visitor visitor) throws IOException {
        SegmentChain chain = SegmentChain.open(JournalConfig.of(directory), storage);
        JournalScan scan = new JournalScan(storage, chain);
        try {
            scan.readAll(visitor);
        } finally {
            chain.close();
        }
        return scan;
    }

    private void readAll(Visitor visitor) throws IOException {
        List<Segment> segments = chain.all();
        for (Segment segment : segments) {
            if (!segment.hasHeader()) {
                badHeaders.add(segment);
            }
        }
        position = segments.isEmpty() ? 0 : segments.get(0).base();
        Segment at = chain.holding(position);
        while (at != null) {
            readGood(at, visitor);
            Segment next = chain.after(at);
            at = next != null && next.base() == position ? next : afterDamage(at);
        }
    }

    private void readGood(Segment segment, Visitor visitor) throws IOException {
        SegmentCursor cursor = new SegmentCursor(segment, chain.salt(), position);
        while (cursor.advance() && cursor.epoch() >= epoch) {
            epoch = cursor.epoch();
            position = cursor.end();
            visitor.record(new JournalRecord(
                    segment.path(),
                    segment.filePosition(cursor.position()),
                    cursor.position(),
                    cursor.epoch(),
                    cursor.type(),
                    cursor.flags(),
                    cursor.syncedTo(),
                    cursor.body()));
        }
    }

    /** Where reading goes on behind a damaged place; null at the end of the journal, which may be a torn tail. */
    private @Nullable Segment afterDamage(Segment stoppedIn) throws IOException {
        LaterRecords later = new LaterRecords();
        for (Segment at = stoppedIn; at != null; at = chain.after(at)) {
            later.lookThrough(at, chain.salt(), Math.max(position, at.base()));
        }
        if (later.syncedTo() <= position) {
            return null;
        }
        damages.add(new Damage(stoppedIn.path(), stoppedIn.filePosition(position), position, later.first(), epoch));
        position = later.first();
        return chain.holding(position);
    }

    /** Ranges of durable records that cannot be read, in order. */
    public List<Damage> damages() {
        return List.copyOf(damages);
    }

    /** Segments of which the header cannot be trusted. */
    public List<Path> badHeaders() {
        return badHeaders.stream().map(Segment::path).toList();
    }

    /** Journal position behind the last good record. */
    public long end() {
        return position;
    }

    /**
     * Copies what is damaged to the attic and puts fillers in its place, so that a broker starts from the rest. Nothing
     * is overwritten before its copy is durable.
     *
     * @return the copies
     */
    public List<Path> repair(Path atticDirectory) throws IOException {
        Attic attic = new Attic(storage, atticDirectory);
        List<Path> copies = new ArrayList<>();
        try {
            for (Segment segment : badHeaders) {
                copies.add(attic.copy(segment.path(), 0, SegmentFormat.HEADER_BYTES));
                int bytes = (int) storage.size(segment.path());
                segment.file().write(new SegmentFormat(segment.base(), bytes, chain.salt(), 0).encode(), 0);
                segment.file().sync();
            }
            for (Damage damage : damages) {
                fill(damage, attic, copies);
            }
        } finally {
            chain.close();
        }
        return copies;
    }

    private void fill(Damage damage, Attic attic, List<Path> copies) throws IOException {
        long at = damage.from();
        while (at < damage.to()) {
            Segment segment = chain.holding(at);
            if (segment == null) {
                return;
            }
            Segment next = chain.after(segment);
            long to = next == null ? damage.to() : Math.min(damage.to(), next.base());
            if (to > segment.limit()) {
                segment = chain.fillGap(at, to, damage.epoch());
            } else {
                copies.add(attic.copy(segment.path(), segment.filePosition(at), segment.filePosition(to)));
            }
            ByteBuffer filler = Marks.filler(at, to, damage.epoch(), chain.salt());
            segment.file().write(filler, segment.filePosition(at));
            segment.file().sync();
            at = to;
        }
    }
}
