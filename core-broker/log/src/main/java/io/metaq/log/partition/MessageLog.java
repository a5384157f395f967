package io.metaq.log.partition;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one partition in the bytes of the wire, whether in files ({@link PartitionLog}) or in memory
 * ({@link MemoryLog}). An offset is a byte position in the partition. One thread at a time appends, flushes and trims;
 * everything else may be called by any thread meanwhile.
 */
public interface MessageLog extends AutoCloseable {

    /**
     * Stages whole messages. The bytes must not change before {@link #flush()} returned, the array may.
     *
     * @param messages how many they are
     * @param timestampMs when they were appended, by the record that carries them
     * @return offset of the first byte
     */
    long append(ByteBuffer[] parts, int n, int messages, long timestampMs) throws IOException;

    /** Makes what is staged readable. */
    void flush() throws IOException;

    /** First readable offset. */
    long startOffset();

    /** Offset after the last readable byte. */
    long endOffset();

    /** Offset after the last byte, staged ones included. The appending thread. */
    long stagedEndOffset();

    /** The end of the readable part and the number of messages ever appended before it, as they belong together. */
    End end() throws IOException;

    /**
     * @param offset offset after the last readable byte
     * @param messages messages that were ever appended before it
     */
    record End(long offset, long messages) {}

    /** Append time of the newest message, staged ones included, milliseconds since 1970; 0 when there was none. */
    long lastAppendMs();

    /** Readable messages. */
    long messageCount() throws IOException;

    /** Messages that were ever appended and have become readable. */
    long appendedMessages() throws IOException;

    /** Messages that were ever appended, staged ones included. The appending thread. */
    long stagedMessages() throws IOException;

    /**
     * Messages that were ever appended before this offset, which is where a message begins or the end. May read files.
     *
     * @throws IllegalArgumentException when the offset lies outside the readable part
     */
    long messagesBefore(long offset) throws IOException;

    /**
     * At most {@code maxBytes} from {@code offset} on, of one segment; not cut at message boundaries. The caller releases
     * it.
     *
     * @return null when the offset is before the start or not before the end
     */
    @Nullable
    LogSlice slice(long offset, int maxBytes) throws IOException;

    /** First offset of the segment that holds {@code offset}; the start or the end offset when it is out of range. */
    long segmentStart(long offset);

    /** Offset of the first message appended at or after this time, or of one before it; the end when there is none. */
    long offsetForTime(long epochMs) throws IOException;

    /**
     * Takes out the segments that lie wholly before {@code offset}. Slices in use stay readable until they are released.
     *
     * @return the new start offset
     */
    long trimBefore(long offset, Disposal disposal) throws IOException;

    @Override
    void close() throws IOException;
}
