package io.metaq.log.partition;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one partition. The writer thread appends, flushes, trims, restores; all else may be called by any
 * thread meanwhile.
 */
public final class PartitionLog implements AutoCloseable {

    private PartitionLog() {}

    /** Lists the directory; opens no file, creates nothing. */
    public static PartitionLog open(Path directory, PartitionLogConfig config, OpenFiles files) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Takes over a changed configuration; holds from the next append on. */
    public void configure(PartitionLogConfig config) {
        throw new UnsupportedOperationException();
    }

    /** Cuts back to a checkpoint. Segments that were trimmed after the checkpoint may be missing. */
    public void restore(PartitionSnapshot snapshot) throws IOException {
        throw new UnsupportedOperationException();
    }

    public PartitionSnapshot snapshot() throws IOException {
        throw new UnsupportedOperationException();
    }

    /**
     * Stages whole messages. The buffers' bytes must not change until {@link #flush()}; the array may.
     *
     * @return offset of the first byte
     */
    public long append(ByteBuffer[] parts, int n, int messages, long timestampMs) throws IOException {
        throw new UnsupportedOperationException();
    }

    public long append(ByteBuffer bytes, int messages, long timestampMs) throws IOException {
        throw new UnsupportedOperationException();
    }

    /**
     * Writes what is staged with one gathering write and makes it readable.
     *
     * @throws io.metaq.log.file.StorageFullException when there is no room: what is staged was kept (copied) and the
     *     next flush tries again
     */
    public void flush() throws IOException {
        throw new UnsupportedOperationException();
    }

    /** First readable offset. */
    public long startOffset() {
        throw new UnsupportedOperationException();
    }

    /** Offset after the last readable byte. */
    public long endOffset() {
        throw new UnsupportedOperationException();
    }

    /** Readable messages. */
    public long messageCount() throws IOException {
        throw new UnsupportedOperationException();
    }

    /**
     * At most {@code maxBytes} from {@code offset} on, within one segment; not cut at message boundaries.
     *
     * @return null when the offset is before the start or not before the end
     */
    public @Nullable LogSlice slice(long offset, int maxBytes) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** First offset of the segment that holds {@code offset}. */
    public long segmentStart(long offset) {
        throw new UnsupportedOperationException();
    }

    /** Offset of the first message appended at or after this time; the end when there is none. */
    public long offsetForTime(long epochMs) throws IOException {
        throw new UnsupportedOperationException();
    }

    /**
     * Up to where retention would trim: always a segment's start or the end. A negative limit means no limit.
     *
     * @return the start offset when there is nothing to trim
     */
    public long expiredBefore(long nowMs, long maxAgeMs, long maxBytes) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Takes out the segments that lie wholly before {@code offset}; returns the new start offset. */
    public long trimBefore(long offset, Disposal disposal) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Makes everything flushed so far durable. Any thread. */
    public void sync() throws IOException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() throws IOException {
        throw new UnsupportedOperationException();
    }
}
