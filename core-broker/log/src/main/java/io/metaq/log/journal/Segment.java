package io.metaq.log.journal;

import io.metaq.log.file.Storage;
import io.metaq.log.file.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A segment file in use. The file is opened when needed; open and close are guarded by the segment, the bytes are
 * written by one thread.
 */
final class Segment {

    private final Storage storage;
    private final Path path;
    private final long base;
    private final int segmentBytes;
    private @Nullable StorageFile file;

    Segment(Storage storage, Path path, long base, int segmentBytes) {
        this.storage = storage;
        this.path = path;
        this.base = base;
        this.segmentBytes = segmentBytes;
    }

    Path path() {
        return path;
    }

    /** Journal position of the first record. */
    long base() {
        return base;
    }

    /** Journal position that no record of this segment can reach beyond. */
    long limit() {
        return base + segmentBytes - SegmentFormat.HEADER_BYTES;
    }

    int segmentBytes() {
        return segmentBytes;
    }

    /** Where in the file a journal position is. */
    long filePosition(long position) {
        return position - base + SegmentFormat.HEADER_BYTES;
    }

    synchronized StorageFile file() throws IOException {
        StorageFile open = file;
        if (open == null) {
            open = storage.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
            file = open;
        }
        return open;
    }

    synchronized void close() throws IOException {
        StorageFile open = file;
        file = null;
        if (open != null) {
            open.close();
        }
    }

    /** The header, null when it cannot be trusted. */
    @Nullable
    SegmentFormat readHeader() throws IOException {
        ByteBuffer block = ByteBuffer.allocate(SegmentFormat.HEADER_BYTES);
        while (block.hasRemaining() && file().read(block, block.position()) > 0) {
            continue;
        }
        return SegmentFormat.decode(block.flip());
    }

    /** Whether the header can be trusted and belongs to the name that the file has. */
    boolean hasHeader() throws IOException {
        SegmentFormat header = readHeader();
        return header != null && header.base() == base;
    }

    /** Gives a file that was cut short its full length again. */
    void extend() throws IOException {
        long size = file().size();
        if (size < segmentBytes) {
            erase(base + size - SegmentFormat.HEADER_BYTES, limit());
        }
    }

    /** Overwrites a range of journal positions with zeros. */
    void erase(long from, long to) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocate((int) Math.min(to - from, 1 << 16));
        for (long at = from; at < to; at += zeros.capacity()) {
            zeros.clear().limit((int) Math.min(zeros.capacity(), to - at));
            file().write(zeros, filePosition(at));
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
