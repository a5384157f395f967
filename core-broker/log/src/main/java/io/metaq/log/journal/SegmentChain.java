package io.metaq.log.journal;

import io.metaq.log.file.Attic;
import io.metaq.log.file.Storage;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The segments in use, oldest first. Safe for use by several threads; only the writer rolls. */
final class SegmentChain {

    private final JournalConfig config;
    private final Storage storage;
    private final List<Segment> segments = new ArrayList<>();
    private int salt;

    private SegmentChain(JournalConfig config, Storage storage) {
        this.config = config;
        this.storage = storage;
    }

    /** Lists the directory. Headers are looked at by recovery, and only where it has to read. */
    static SegmentChain open(JournalConfig config, Storage storage) throws IOException {
        storage.createDirectories(config.directory());
        SegmentChain chain = new SegmentChain(config, storage);
        boolean salted = false;
        for (Path path : storage.list(config.directory())) {
            long base = SegmentFormat.baseOf(path.getFileName().toString());
            if (base >= 0) {
                Segment segment = new Segment(storage, path, base, config.segmentBytes());
                SegmentFormat header = segment.readHeader();
                if (header != null) {
                    chain.salt = header.salt();
                    salted = true;
                    segment.close();
                    segment = new Segment(storage, path, base, header.segmentBytes());
                }
                chain.segments.add(segment);
            }
        }
        if (!salted) {
            chain.salt = new SecureRandom().nextInt();
        }
        return chain;
    }

    /** Makes the first segment of an empty journal, durable from the start. */
    void create(SegmentPool pool) throws IOException {
        Path file = pool.prepareNow();
        Segment first = begin(file, 0);
        first.file().sync();
        storage.syncDirectory(config.directory());
    }

    /**
     * Moves the file of a journal's only segment to the attic when it is cut off inside its header: its creation was not
     * finished, so no record was ever written to it.
     */
    void dropUnfinished() throws IOException {
        Segment only = segments.size() == 1 ? last() : null;
        if (only != null && only.base() == 0 && !only.hasHeader() && only.file().size() <= SegmentFormat.HEADER_BYTES) {
            only.close();
            new Attic(storage, config.attic()).move(only.path());
            segments.clear();
        }
    }

    /** Turns a free segment file into the last segment of the chain. */
    Segment begin(Path freeFile, long base) throws IOException {
        Path path = config.directory().resolve(SegmentFormat.fileName(base));
        storage.rename(freeFile, path);
        Segment segment = new Segment(storage, path, base, config.segmentBytes());
        segment.file().write(new SegmentFormat(base, config.segmentBytes(), salt(), config.epoch()).encode(), 0);
        synchronized (this) {
            segments.add(segment);
        }
        return segment;
    }

    /** A segment in the place of one or more that are missing, to be filled from its first position on. */
    Segment fillGap(long from, long to, int epoch) throws IOException {
        int blocks = (int) ((to - from + SegmentFormat.BLOCK_BYTES - 1) / SegmentFormat.BLOCK_BYTES);
        int bytes = SegmentFormat.HEADER_BYTES + blocks * SegmentFormat.BLOCK_BYTES;
        Path path = config.directory().resolve(SegmentFormat.fileName(from));
        storage.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)
                .close();
        Segment segment = new Segment(storage, path, from, bytes);
        segment.file().write(new SegmentFormat(from, bytes, salt(), epoch).encode(), 0);
        segment.extend();
        segment.file().sync();
        storage.syncDirectory(config.directory());
        synchronized (this) {
            segments.add(segment);
            segments.sort(Comparator.comparingLong(Segment::base));
        }
        return segment;
    }

    synchronized int salt() {
        return salt;
    }

    synchronized boolean isEmpty() {
        return segments.isEmpty();
    }

    synchronized List<Segment> all() {
        return List.copyOf(segments);
    }

    synchronized Segment last() {
        return segments.get(segments.size() - 1);
    }

    /** The segment that holds this position, null when it lies before the first one. */
    synchronized @Nullable Segment holding(long position) {
        Segment found = null;
        for (Segment segment : segments) {
            if (segment.base() <= position) {
                found = segment;
            }
        }
        return found;
    }

    /** The segment after this one, null when it is the last. */
    synchronized @Nullable Segment after(Segment segment) {
        int next = segments.indexOf(segment) + 1;
        return next < segments.size() ? segments.get(next) : null;
    }

    /**
     * Takes out the segments of which all records lie before this position; never the last one. The one after them holds
     * a record before the position, so that with the position its header is durable too.
     */
    synchronized List<Segment> removeBefore(long position) {
        List<Segment> removed = new ArrayList<>();
        while (segments.size() > 1 && segments.get(1).base() < position) {
            removed.add(segments.remove(0));
        }
        return removed;
    }

    /** Takes out all segments after this one. */
    synchronized List<Segment> removeAfter(Segment segment) {
        List<Segment> tail = segments.subList(segments.indexOf(segment) + 1, segments.size());
        List<Segment> removed = List.copyOf(tail);
        tail.clear();
        return removed;
    }

    void close() throws IOException {
        for (Segment segment : all()) {
            segment.close();
        }
    }
}
