package io.metaq.log.partition;

import io.metaq.log.file.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/**
 * A readable piece of one segment. It keeps the segment's file, if it has one, from being closed or deleted until
 * {@link #release()}.
 *
 * <p>A slice of length 0 stands for a damaged range that was set aside: reading goes on at {@link #nextOffset()}.
 */
public final class LogSlice {

    private final @Nullable OpenFiles files;
    private final @Nullable SegmentFile segment;
    private final @Nullable StorageFile file;
    private final byte @Nullable [] memory;
    private final long offset;
    private final long position;
    private final int length;
    private final long nextOffset;

    private LogSlice(
            @Nullable OpenFiles files,
            @Nullable SegmentFile segment,
            @Nullable StorageFile file,
            byte @Nullable [] memory,
            long offset,
            long position,
            int length,
            long nextOffset) {
        this.files = files;
        this.segment = segment;
        this.file = file;
        this.memory = memory;
        this.offset = offset;
        this.position = position;
        this.length = length;
        this.nextOffset = nextOffset;
    }

    static LogSlice of(OpenFiles files, SegmentFile segment, StorageFile file, long offset, long position, int length) {
        return new LogSlice(files, segment, file, null, offset, position, length, offset + length);
    }

    static LogSlice damaged(OpenFiles files, long offset, long nextOffset) {
        return new LogSlice(files, null, null, null, offset, 0, 0, nextOffset);
    }

    static LogSlice of(byte[] memory, long offset, int position, int length) {
        return new LogSlice(null, null, null, memory, offset, position, length, offset + length);
    }

    /** Whether the bytes are in memory: then there is no {@link #channel()}, and reading is a copy. */
    public boolean inMemory() {
        return memory != null;
    }

    /** Partition offset of the first byte. */
    public long offset() {
        return offset;
    }

    /** Number of bytes; 0 for a damaged range. */
    public int length() {
        return length;
    }

    /** Partition offset where reading goes on after this slice. */
    public long nextOffset() {
        return nextOffset;
    }

    /** The segment file, for a transfer to a socket; {@link #position()} is where the slice begins in it. */
    public FileChannel channel() {
        return file().channel();
    }

    /** Where in the file the slice begins, in bytes. */
    public long position() {
        return position;
    }

    /** Reads bytes of the slice from {@code at} (0 = its first byte) on; -1 at its end. */
    public int read(ByteBuffer into, int at) throws IOException {
        if (at >= length) {
            return -1;
        }
        if (memory != null) {
            int n = Math.min(into.remaining(), length - at);
            into.put(memory, (int) position + at, n);
            return n;
        }
        int limit = into.limit();
        into.limit(into.position() + Math.min(into.remaining(), length - at));
        try {
            return file().read(into, position + at);
        } finally {
            into.limit(limit);
        }
    }

    private StorageFile file() {
        if (file == null) {
            throw new IllegalStateException("a damaged range has no bytes, and memory is no file");
        }
        return file;
    }

    /** Called exactly once. */
    public void release() {
        if (files != null && segment != null) {
            files.release(segment);
        }
    }
}
