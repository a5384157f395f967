package io.metaq.log.partition;

import io.metaq.log.file.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/**
 * A readable piece of one segment file. It keeps the file from being closed or deleted until {@link #release()}.
 *
 * <p>A slice of length 0 stands for a damaged range that was set aside: reading goes on at {@link #nextOffset()}.
 */
public final class LogSlice {

    private final OpenFiles files;
    private final @Nullable SegmentFile segment;
    private final @Nullable StorageFile file;
    private final long offset;
    private final long position;
    private final int length;
    private final long nextOffset;

    private LogSlice(
            OpenFiles files,
            @Nullable SegmentFile segment,
            @Nullable StorageFile file,
            long offset,
            long position,
            int length,
            long nextOffset) {
        this.files = files;
        this.segment = segment;
        this.file = file;
        this.offset = offset;
        this.position = position;
        this.length = length;
        this.nextOffset = nextOffset;
    }

    static LogSlice of(OpenFiles files, SegmentFile segment, StorageFile file, long offset, long position, int length) {
        return new LogSlice(files, segment, file, offset, position, length, offset + length);
    }

    static LogSlice damaged(OpenFiles files, long offset, long nextOffset) {
        return new LogSlice(files, null, null, offset, 0, 0, nextOffset);
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
            throw new IllegalStateException("a damaged range has no bytes");
        }
        return file;
    }

    /** Called exactly once. */
    public void release() {
        if (segment != null) {
            files.release(segment);
        }
    }
}
